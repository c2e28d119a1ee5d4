/** Command: one user action, wherever it is offered. */

import type { Editor } from "../store/editor";
import type { EditorState } from "../store/types";
import { t } from "../graph/translate";
import type { Group } from "../graph/types";

export type CommandGroup =
  "Edit" | "Select" | "Arrange" | "View" | "Insert" | "Run" | "File" | "Help";

export const GROUP_TITLES: Readonly<Record<CommandGroup, string>> = {
  Edit: t("Edit"),
  Select: t("Select"),
  Arrange: t("Arrange"),
  View: t("View"),
  Insert: t("Insert"),
  Run: t("Run"),
  File: t("File"),
  Help: t("Help"),
};

export type Args = Readonly<Record<string, unknown>>;

export interface Command {
  readonly id: string;
  readonly label: string;
  /** Label in a menu, if it depends on the selection. */
  labelFor?(state: EditorState): string;
  readonly group: CommandGroup;
  /** Progress text while it takes longer: "Tidying up". */
  readonly doing?: string;
  /** "Mod" is Ctrl, on a Mac Command; the first shortcut is shown. */
  readonly keys?: readonly string[];
  /** Name of a lucide icon. */
  readonly icon: string;
  /** False for a command that needs arguments from its caller: it is not listed. */
  readonly listed?: false;
  /** By default it is always enabled. */
  enabled?(state: EditorState): boolean;
  /** True if it blocks painting: the progress text is painted before it starts. */
  blocks?(state: EditorState): boolean;
  perform(editor: Editor, args: Args): void | Promise<void>;
}

export const hasNodes = (state: EditorState): boolean => state.document.nodes.length > 0;
export const someNodes = (state: EditorState): boolean => state.selection.nodes.length > 0;
export const severalNodes = (state: EditorState): boolean => state.selection.nodes.length > 1;
export const oneNode = (state: EditorState): boolean => state.selection.nodes.length === 1;

export const someParts = ({ selection }: EditorState): boolean =>
  selection.nodes.length + selection.notes.length + selection.groups.length > 0;

export const anything = ({ selection }: EditorState): boolean =>
  selection.nodes.length + selection.links.length + selection.notes.length > 0 ||
  selection.groups.length > 0;

/** Return the selected groups, and those of selected nodes. */
export function groupsOf({ selection, document }: EditorState): readonly Group[] {
  return document.groups.filter(
    (group) =>
      selection.groups.includes(group.id) || group.nodes.some((id) => selection.nodes.includes(id)),
  );
}

/** Return the nodes of a command: those in its arguments, else the selected ones. */
export function nodesFor(editor: Editor, args: Args): readonly string[] {
  const ids = args["nodes"] ?? args["node"];
  if (typeof ids === "string") return [ids];
  if (Array.isArray(ids)) return ids.filter((id) => typeof id === "string");
  return editor.state.selection.nodes;
}

/** "DenseNet", "3 nodes": for labels of steps. */
export function nodesText(editor: Editor, ids: readonly string[]): string {
  if (ids.length !== 1) return t("{count} {count:node|nodes}", { count: ids.length });
  const node = editor.state.document.nodes.find((node) => node.id === ids[0]);
  const module = editor.state.catalog.byId.get(node?.module ?? "");
  return node?.title ?? module?.title ?? t("node");
}
