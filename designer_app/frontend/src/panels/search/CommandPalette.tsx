/** Search of all commands by name. */

import type { ReactElement } from "react";

import { COMMANDS, isEnabled, perform } from "../../commands/registry";
import { keysOf } from "../../commands/keyboard";
import { matchWord } from "../../graph/search";
import { useEditor } from "../../view/context";
import { descriptionOf } from "./commandDescriptions";
import { Finder, type Found } from "./Finder";
import { t } from "../../graph/translate";

export function CommandPalette(): ReactElement {
  const editor = useEditor();
  const find = (query: string): readonly Found[] => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const listed = COMMANDS.filter((command) => command.listed !== false);
    return listed
      .map((command) => ({
        command,
        score: words.reduce((sum, word) => {
          const match = matchWord(word, `${command.label} ${descriptionOf(command)}`.toLowerCase());
          return match === 0 ? -Infinity : sum + match;
        }, 0),
      }))
      .filter((hit) => hit.score > -Infinity)
      .sort((one, other) => other.score - one.score)
      .map(({ command }) => ({
        id: command.id,
        title: command.label,
        detail: descriptionOf(command),
        keys: keysOf(command),
        disabled: !isEnabled(editor, command.id),
      }));
  };
  return (
    <Finder
      label={t("Commands")}
      placeholder={t("Search commands")}
      testId="command-palette"
      at={null}
      find={find}
      onChoose={(id) => {
        editor.closeDialog();
        perform(editor, id);
      }}
      onClose={() => editor.closeDialog()}
      nothing={t("No commands found. Try other words.")}
    />
  );
}
