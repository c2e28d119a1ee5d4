/** Delete, rename, disable. */

import { renameNode, setDisabled } from "../graph/edits";
import type { Selection } from "../store/types";
import { selectionInWords, without } from "./selection";
import { type Command, anything, nodesText, nodesFor, oneNode, someNodes } from "./types";
import { t } from "../graph/translate";

export const EDIT_COMMANDS: readonly Command[] = [
  {
    id: "delete",
    label: t("Delete"),
    group: "Edit",
    keys: ["Delete", "Backspace"],
    icon: "trash-2",
    enabled: anything,
    perform: (editor) => {
      const { selection } = editor.state;
      editor.dispatch((document) => without(document, selection), {
        label: t("Delete {selection}", { selection: selectionInWords(editor, selection) }),
      });
      editor.canvas?.focus();
    },
  },
  {
    id: "delete-and-heal",
    label: t("Delete and reconnect"),
    group: "Edit",
    keys: ["Mod+Delete", "Mod+Backspace"],
    icon: "unplug",
    enabled: someNodes,
    perform: async (editor, args) => {
      const ids = nodesFor(editor, args);
      const { removeAndHeal } = await import("../graph/insertions");
      editor.dispatch(
        (start, catalog) => ids.reduce((changed, id) => removeAndHeal(changed, catalog, id), start),
        { label: t("Delete {nodes}", { nodes: nodesText(editor, ids) }) },
      );
      editor.canvas?.focus();
    },
  },
  {
    id: "rename",
    label: t("Rename"),
    group: "Edit",
    keys: ["F2"],
    icon: "pencil",
    enabled: (state) => oneNode(state) || isOneGroup(state.selection),
    perform: (editor, args) => {
      const [node] = nodesFor(editor, args);
      const [group] = editor.state.selection.groups;
      const { title } = args;
      if (node === undefined && group === undefined) return;
      if (node === undefined || typeof title !== "string") {
        editor.openDialog({ kind: "rename", node: node ?? `group:${group}` });
      } else
        editor.dispatch((document) => renameNode(document, node, title), { label: t("Rename") });
    },
  },
  {
    id: "disable",
    label: t("Disable or enable"),
    group: "Edit",
    keys: ["Mod+E"],
    icon: "circle-off",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const nodes = editor.state.document.nodes.filter((node) => ids.includes(node.id));
      const disabled = nodes.some((node) => !node.disabled);
      editor.dispatch((document) => setDisabled(document, ids, disabled), {
        label: `${disabled ? t("Disable") : t("Enable")} ${nodesText(editor, ids)}`,
      });
    },
  },
];

function isOneGroup({ nodes, groups }: Selection): boolean {
  return nodes.length === 0 && groups.length === 1;
}
