/** All commands by id. */

import type { Editor } from "../store/editor";
import type { EditorState } from "../store/types";
import { ARRANGE_COMMANDS } from "./arrange";
import { CLIPBOARD_COMMANDS } from "./clipboard";
import { CONNECT_COMMANDS } from "./connect";
import { EDIT_COMMANDS } from "./edit";
import { GROUP_COMMANDS } from "./group";
import { IMPORT_EXPORT_COMMANDS } from "./importExport";
import { PIN_COMMANDS } from "./pin";
import { RUN_COMMANDS } from "./run";
import { SELECT_COMMANDS } from "./select";
import { SUB_PIPELINE_COMMANDS } from "./subPipeline";
import type { Args, Command, CommandGroup } from "./types";
import { UNDO_COMMANDS } from "./undo";
import { VIEW_COMMANDS } from "./view";
import { withProgressNotice } from "./progressNotice";
import { t } from "../graph/translate";

export type { Command } from "./types";

export const COMMANDS: readonly Command[] = [
  ...UNDO_COMMANDS,
  ...CLIPBOARD_COMMANDS,
  ...EDIT_COMMANDS,
  ...GROUP_COMMANDS,
  ...PIN_COMMANDS,
  ...CONNECT_COMMANDS,
  ...SELECT_COMMANDS,
  ...SUB_PIPELINE_COMMANDS,
  ...ARRANGE_COMMANDS,
  ...VIEW_COMMANDS,
  ...RUN_COMMANDS,
  ...IMPORT_EXPORT_COMMANDS,
];

const byId = new Map(COMMANDS.map((command) => [command.id, command]));

/** Return the command of that id; throws for an unknown id. */
export function commandOf(id: string): Command {
  const command = byId.get(id);
  if (!command) throw new Error(`There is no command "${id}".`);
  return command;
}

/** Groups of commands that are allowed on a read-only canvas. */
const HARMLESS: ReadonlySet<CommandGroup> = new Set(["Select", "View"]);

function isAllowed(command: Command, state: EditorState): boolean {
  return !state.readOnly || HARMLESS.has(command.group) || command.id.startsWith("look");
}

function isPossible(command: Command, state: EditorState): boolean {
  return command.enabled?.(state) ?? true;
}

export function isEnabled(editor: Editor, id: string): boolean {
  const command = commandOf(id);
  return isAllowed(command, editor.state) && isPossible(command, editor.state);
}

/** Selector for components: renders again only when the result changes. */
export function selectEnabled(id: string): (state: EditorState) => boolean {
  const command = commandOf(id);
  return (state) => isAllowed(command, state) && isPossible(command, state);
}

/** Perform a command; false if it is disabled. With nodes in the arguments no selection is
 * needed. */
export function perform(editor: Editor, id: string, args: Args = {}): boolean {
  const command = commandOf(id);
  if (!isAllowed(command, editor.state)) return false;
  const names = args["nodes"] ?? args["node"];
  if (names === undefined && !isPossible(command, editor.state)) return false;
  void done(editor, command, args);
  return true;
}

/** Perform a command; failures are reported. */
async function done(editor: Editor, command: Command, args: Args): Promise<void> {
  const work = (): void | Promise<void> => command.perform(editor, args);
  try {
    if (command.doing === undefined) await work();
    else {
      const atOnce = command.blocks?.(editor.state) ?? false;
      await withProgressNotice(editor, command.doing, work, { atOnce });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    editor.notify(
      t("{label} failed: {reason} Try again.", { label: command.label, reason }),
      "error",
    );
  }
}
