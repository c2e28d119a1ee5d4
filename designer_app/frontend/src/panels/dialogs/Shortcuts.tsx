/** All commands with their shortcuts, which can be changed here. */

import { type ReactElement, useState } from "react";

import { COMMANDS } from "../../commands/registry";
import { keysOf } from "../../commands/keyboard";
import { Button } from "../../ui/buttons";
import { useEditor } from "../../view/context";
import { Dialog } from "../../ui/Dialog";
import { KeyBindings } from "./KeyBindings";
import { GROUP_TITLES } from "../../commands/types";
import { t } from "../../graph/translate";

/** Mouse gestures and keys that are not commands. */
const GESTURES: readonly (readonly [string, string])[] = [
  [t("Pan canvas"), t("Drag")],
  [t("Box select"), t("Shift + drag")],
  [t("Add a waypoint to a wire"), t("Double-click the wire")],
  [t("Add to selection"), t("Ctrl + click")],
  [t("Zoom"), t("Wheel")],
  [t("Search modules"), t("Double-click")],
  [t("Rename node"), t("Double-click its title")],
];

const PANES: readonly (readonly [string, string])[] = [
  [t("Next pane"), "F6"],
  [t("Previous pane"), "Shift+F6"],
];

export default function Shortcuts(): ReactElement {
  const editor = useEditor();
  const [changing, setChanging] = useState(false);
  const footer = (
    <Button data-testid="change-keys" onClick={() => setChanging(!changing)}>
      {changing ? t("Back") : t("Edit shortcuts")}
    </Button>
  );
  return (
    <Dialog
      title={t("Keyboard shortcuts")}
      wide
      steady
      onClose={() => editor.closeDialog()}
      footer={footer}
    >
      {changing ? <KeyBindings /> : <KeyList />}
    </Dialog>
  );
}

function KeyList(): ReactElement {
  const keyed = COMMANDS.flatMap((command) => {
    const keys = keysOf(command);
    return keys ? [{ command, keys }] : [];
  });
  const sections = [...new Set(keyed.map(({ command }) => command.group))];
  return (
    <ul className="pd-keys">
      {sections.map((section) => (
        <Section
          key={section}
          title={GROUP_TITLES[section]}
          rows={keyed
            .filter(({ command }) => command.group === section)
            .map(({ command, keys }) => [command.label, keys] as const)}
        />
      ))}
      <Section title={t("Panes")} rows={PANES} />
      <Section title={t("Mouse")} rows={GESTURES} />
    </ul>
  );
}

interface SectionProps {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
}

function Section({ title, rows }: SectionProps): ReactElement {
  return (
    <>
      <li className="pd-keys-head">
        <h3>{title}</h3>
      </li>
      {rows.map(([label, keys]) => (
        <li key={label}>
          <span>{label}</span>
          <kbd>{keys}</kbd>
        </li>
      ))}
    </>
  );
}
