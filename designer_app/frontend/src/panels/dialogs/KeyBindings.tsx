/** Change of shortcuts: pressed keys are shown with their current command before they are
 * assigned. */

import { RotateCcw } from "lucide-react";
import { type KeyboardEvent, type ReactElement, useState } from "react";
import { useStore } from "zustand";

import { boundKeys, keepBindings, keyBindings } from "../../commands/keyBindings";
import { isApple, keysOf, shown } from "../../commands/keyboard";
import { ownerOf, pressedKeys, whyTaken, withKey, withoutBinding } from "../../commands/rebinding";
import { COMMANDS, type Command } from "../../commands/registry";
import { Button, IconButton } from "../../ui/buttons";
import { GROUP_TITLES } from "../../commands/types";
import { t } from "../../graph/translate";
import { rich } from "../../ui/richText";

const LISTED = COMMANDS.filter((command) => command.listed !== false);
const SECTIONS = [...new Set(LISTED.map((command) => command.group))];

export function KeyBindings(): ReactElement {
  const bindings = useStore(keyBindings);
  const [changing, setChanging] = useState<string | null>(null);
  const isChanged = Object.keys(bindings).length > 0;
  return (
    <>
      <p className="pd-key-help">
        {t("Select a shortcut, then press a new one. Shortcuts are stored in this browser.")}{" "}
        <Button small disabled={!isChanged} onClick={() => keepBindings({})}>
          {t("Reset all shortcuts")}
        </Button>
      </p>
      <ul className="pd-keys">
        {SECTIONS.map((section) => (
          <Section key={section} title={GROUP_TITLES[section]}>
            {LISTED.filter(({ group }) => group === section).map((command) => (
              <Row
                key={command.id}
                command={command}
                isChanging={changing === command.id}
                onChange={(is) => setChanging(is ? command.id : null)}
              />
            ))}
          </Section>
        ))}
      </ul>
    </>
  );
}

function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: readonly ReactElement[];
}): ReactElement {
  return (
    <>
      <li className="pd-keys-head">
        <h3>{title}</h3>
      </li>
      {children}
    </>
  );
}

interface RowProps {
  readonly command: Command;
  readonly isChanging: boolean;
  readonly onChange: (isChanging: boolean) => void;
}

function Row({ command, isChanging, onChange }: RowProps): ReactElement {
  const bindings = useStore(keyBindings);
  const [wasChanged, setWasChanged] = useState(false);
  const startAssigning = (): void => {
    setWasChanged(true); // the focus returns to the button
    onChange(true);
  };
  const isOwn = bindings[command.id] === undefined;
  const reset = (): void => keepBindings(withoutBinding(bindings, command));
  return (
    <li data-testid={`key-${command.id}`}>
      <span>{command.label}</span>
      {isChanging ? (
        <Recorder command={command} onDone={() => onChange(false)} />
      ) : (
        <>
          {!isOwn && (
            <IconButton
              icon={RotateCcw}
              label={t("Reset: {label}", { label: command.label })}
              onClick={reset}
            />
          )}
          <button
            type="button"
            className="pd-key-change"
            aria-label={t("Shortcut for {label}: {keysOf}", {
              label: command.label,
              keysOf: keysOf(command) || t("none"),
            })}
            autoFocus={wasChanged}
            onClick={startAssigning}
          >
            {boundKeys(command, bindings).length > 0 ? <kbd>{keysOf(command)}</kbd> : t("none")}
          </button>
        </>
      )}
    </li>
  );
}

interface Wanted {
  readonly keys: string;
  readonly owner: Command;
}

function Recorder({
  command,
  onDone,
}: {
  readonly command: Command;
  readonly onDone: () => void;
}): ReactElement {
  const bindings = useStore(keyBindings);
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const bind = (keys: string): void => {
    keepBindings(withKey(bindings, command, keys));
    onDone();
  };
  const hear = (event: KeyboardEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return onDone();
    const keys = pressedKeys(event.nativeEvent);
    if (keys === null) return;
    const why = whyTaken(keys);
    const owner = ownerOf(event.nativeEvent, command);
    setRefusal(why && `${shown(keys, isApple())} ${why}.`);
    setWanted(why === null && owner ? { keys, owner } : null);
    if (why === null && !owner) bind(keys);
  };
  if (wanted) return <Conflict wanted={wanted} onBind={bind} onLeave={onDone} />;
  const free = (): void => {
    keepBindings({ ...bindings, [command.id]: [] });
    onDone();
  };
  return (
    <span className="pd-key-recorder">
      <input
        className="pd-input"
        readOnly
        autoFocus
        aria-label={t("Press the shortcut for {label}", { label: command.label })}
        placeholder={t("Press a shortcut")}
        onKeyDown={hear}
      />
      <Button small onClick={free}>
        {t("No shortcut")}
      </Button>
      <span role="status">{refusal ?? t("Esc cancels.")}</span>
    </span>
  );
}

interface ConflictProps {
  readonly wanted: Wanted;
  readonly onBind: (keys: string) => void;
  readonly onLeave: () => void;
}

function Conflict({ wanted, onBind, onLeave }: ConflictProps): ReactElement {
  return (
    <span className="pd-key-recorder" role="alert">
      <span>
        {rich("{keys} is used by {command}.", {
          keys: shown(wanted.keys, isApple()),
          command: <b>{wanted.owner.label}</b>,
        })}
      </span>
      <Button small autoFocus onClick={onLeave}>
        {t("Keep")}
      </Button>
      <Button small onClick={() => onBind(wanted.keys)}>
        {t("Reassign")}
      </Button>
    </span>
  );
}
