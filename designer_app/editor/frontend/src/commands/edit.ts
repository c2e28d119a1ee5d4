/** Undo, clipboard, delete, change. */

import { readClipboard, writeClipboard } from "../browser/clipboard";
import { GROUP_COLOURS, changeGroup, removeNotes, ungroup } from "../graph/annotations";
import { disconnect, removeNodes, renameNode, setDisabled } from "../graph/edits";
import { endOf } from "../graph/lookup";
import { centredAt, extract, paste, removeAndHeal } from "../graph/insertions";
import type { Group, PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Selection } from "../store/types";
import { connectNext } from "./connect";
import {
  type Args,
  type Command,
  always,
  anything,
  inWords,
  nodesFor,
  oneNode,
  someNodes,
  someParts,
} from "./types";

export const EDIT_COMMANDS: readonly Command[] = [
  {
    id: "undo",
    label: "Undo",
    description: "Take back the last change; results of runs stay.",
    group: "Edit",
    keys: ["Mod+Z"],
    icon: "undo-2",
    enabled: (state) => state.history.past.length > 0,
    perform: (editor) => editor.undo(),
  },
  {
    id: "redo",
    label: "Redo",
    description: "Make the change again that was taken back.",
    group: "Edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    icon: "redo-2",
    enabled: (state) => state.history.future.length > 0,
    perform: (editor) => editor.redo(),
  },
  {
    id: "cut",
    label: "Cut",
    description: "Copy what is selected and remove it; a frame with its nodes.",
    group: "Edit",
    keys: ["Mod+X"],
    icon: "scissors",
    enabled: someParts,
    perform: async (editor) => {
      const { groups } = editor.state.selection;
      const { nodes, notes } = partsFor(editor);
      await writeClipboard(extract(editor.state.document, nodes, notes));
      editor.dispatch((document) => without(document, { nodes, notes, groups, links: [] }), {
        label: `Cut ${partsInWords(editor, nodes, notes)}`,
      });
    },
  },
  {
    id: "copy",
    label: "Copy",
    description: "Copy the selected nodes with the links among them, notes and frames, as JSON.",
    group: "Edit",
    keys: ["Mod+C"],
    icon: "copy",
    enabled: someParts,
    perform: (editor) => {
      const { nodes, notes } = partsFor(editor);
      return writeClipboard(extract(editor.state.document, nodes, notes));
    },
  },
  {
    id: "paste",
    label: "Paste",
    description: "Insert what was copied, here or in another pipeline.",
    group: "Edit",
    keys: ["Mod+V"],
    icon: "clipboard-paste",
    enabled: always,
    perform: async (editor) => {
      const copied = await readClipboard();
      if (copied && copied.nodes.length + copied.notes.length > 0) insertCopied(editor, copied);
      else
        editor.notify(
          "There is no piece of a pipeline on the clipboard: copy some nodes first.",
          "information",
        );
    },
  },
  {
    id: "duplicate",
    label: "Duplicate",
    description: "Insert copies of what is selected beside it.",
    group: "Edit",
    keys: ["Mod+D"],
    icon: "copy-plus",
    enabled: someParts,
    perform: (editor, args) => {
      const { nodes, notes } = partsFor(editor, args);
      editor.dispatch((document) => paste(document, extract(document, nodes, notes)), {
        label: `Duplicate ${partsInWords(editor, nodes, notes)}`,
        select: "added",
      });
    },
  },
  {
    id: "delete",
    label: "Delete",
    description: "Remove what is selected: nodes, wires, notes, frames.",
    group: "Edit",
    keys: ["Delete", "Backspace"],
    icon: "trash-2",
    enabled: anything,
    perform: (editor) => {
      const { selection } = editor.state;
      editor.dispatch((document) => without(document, selection), {
        label: `Delete ${selectionInWords(editor, selection)}`,
      });
      editor.canvas?.focus();
    },
  },
  {
    id: "delete-and-heal",
    label: "Delete and heal the wire",
    description: "Remove the nodes and connect what came in with what went out.",
    group: "Edit",
    keys: ["Mod+Delete", "Mod+Backspace"],
    icon: "unplug",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      editor.dispatch(
        (start, catalog) => ids.reduce((each, id) => removeAndHeal(each, catalog, id), start),
        { label: `Delete ${inWords(editor, ids)}` },
      );
      editor.canvas?.focus();
    },
  },
  {
    id: "rename",
    label: "Rename",
    description: "Give the node or the group a title of its own.",
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
      } else editor.dispatch((document) => renameNode(document, node, title), { label: "Rename" });
    },
  },
  {
    id: "disable",
    label: "Disable or enable",
    description: "A disabled node does not run and hands its input on where it can.",
    group: "Edit",
    keys: ["Mod+E"],
    icon: "circle-off",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const nodes = editor.state.document.nodes.filter((node) => ids.includes(node.id));
      const disabled = nodes.some((node) => !node.disabled);
      editor.dispatch((document) => setDisabled(document, ids, disabled), {
        label: `${disabled ? "Disable" : "Enable"} ${inWords(editor, ids)}`,
      });
    },
  },
  {
    id: "collapse",
    label: "Collapse or expand the group",
    description: "Show a group as one box, or its nodes.",
    group: "Edit",
    keys: ["Mod+."],
    icon: "fold-vertical",
    enabled: ({ selection, document }) =>
      selection.groups.length > 0 ||
      document.groups.some((group) => group.nodes.some((id) => selection.nodes.includes(id))),
    perform: (editor) => {
      const { selection, document } = editor.state;
      const groups = document.groups.filter(
        (group) =>
          selection.groups.includes(group.id) ||
          group.nodes.some((id) => selection.nodes.includes(id)),
      );
      const collapsed = groups.some((group) => !group.collapsed);
      editor.dispatch(
        (start) =>
          groups.reduce((each, group) => changeGroup(each, group.id, { collapsed }), start),
        { label: collapsed ? "Collapse" : "Expand" },
      );
    },
  },
  ...GROUP_COLOURS.map((colour) => colouring(colour)),
  {
    id: "connect-selected",
    label: "Connect the two selected nodes",
    description: "Press again to take the next pair of ports that fit.",
    group: "Edit",
    keys: ["L"],
    icon: "spline",
    enabled: (state) => state.selection.nodes.length === 2,
    perform: connectNext,
  },
];

function isOneGroup({ nodes, groups }: Selection): boolean {
  return nodes.length === 0 && groups.length === 1;
}

function colouring(colour: Group["colour"]): Command {
  return {
    id: `colour-${colour}`,
    label: `Colour the group ${colour}`,
    description: "Set the colour of the selected groups.",
    group: "Edit",
    keys: [],
    icon: "palette",
    enabled: ({ selection }) => selection.groups.length > 0,
    perform: (editor) => {
      const { groups } = editor.state.selection;
      editor.dispatch(
        (start) => groups.reduce((each, id) => changeGroup(each, id, { colour }), start),
        { label: `Colour the group ${colour}` },
      );
    },
  };
}

interface Parts {
  readonly nodes: readonly string[];
  readonly notes: readonly string[];
}

/** What is copied: what the arguments name, else what is selected, each frame with its nodes. */
function partsFor(editor: Editor, args: Args = {}): Parts {
  const { document, selection } = editor.state;
  if ((args["nodes"] ?? args["node"]) !== undefined) {
    return { nodes: nodesFor(editor, args), notes: [] };
  }
  const framed = document.groups.filter((group) => selection.groups.includes(group.id));
  const nodes = new Set([...selection.nodes, ...framed.flatMap((group) => group.nodes)]);
  return { nodes: [...nodes], notes: selection.notes };
}

function partsInWords(editor: Editor, nodes: readonly string[], notes: readonly string[]): string {
  return selectionInWords(editor, { nodes, notes, links: [], groups: [] });
}

function insertCopied(editor: Editor, copied: PipelineDocument): void {
  const pointer = editor.canvas?.pointer();
  const piece = pointer ? centredAt(copied, pointer.x, pointer.y) : copied;
  editor.dispatch((document) => paste(document, piece, pointer ? 0 : undefined), {
    label: `Paste ${counted(copied.nodes.length, "node") || counted(copied.notes.length, "note")}`,
    select: "added",
  });
}

/** "1 node", "3 nodes"; empty for none. */
function counted(count: number, word: string): string {
  return count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`;
}

function without(start: PipelineDocument, selection: Selection): PipelineDocument {
  const unlinked = selection.links.reduce((each, key) => disconnect(each, endOf(key)), start);
  const bare = removeNodes(unlinked, selection.nodes);
  return ungroup(removeNotes(bare, selection.notes), selection.groups);
}

function selectionInWords(editor: Editor, selection: Selection): string {
  const { nodes, links, notes, groups } = selection;
  if (nodes.length) return inWords(editor, nodes);
  if (links.length) return links.length === 1 ? "wire" : `${links.length} wires`;
  if (notes.length) return notes.length === 1 ? "note" : `${notes.length} notes`;
  return groups.length === 1 ? "frame" : `${groups.length} frames`;
}
