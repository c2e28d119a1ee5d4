/** Undo, clipboard, delete, change. */

import { readClipboard, writeClipboard } from "../bridge/clipboard";
import { GROUP_COLOURS, changeGroup, removeNotes, ungroup } from "../graph/annotations";
import { connect, disconnect, removeNodes, renameNode, setDisabled } from "../graph/document";
import { endOf } from "../graph/lookup";
import { possibleLinks } from "../graph/rules";
import { centredAt, extract, paste, removeAndHeal } from "../graph/splicing";
import type { Group, Link, PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Selection } from "../store/types";
import { type Command, always, anything, inWords, nodesFor, oneNode, someNodes } from "./types";

export const EDITING: readonly Command[] = [
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
    description: "Copy the selected nodes and remove them.",
    group: "Edit",
    keys: ["Mod+X"],
    icon: "scissors",
    enabled: someNodes,
    perform: async (editor) => {
      const ids = editor.state.selection.nodes;
      await writeClipboard(extract(editor.state.document, ids));
      editor.dispatch((document) => removeNodes(document, ids), {
        label: `Cut ${inWords(editor, ids)}`,
      });
    },
  },
  {
    id: "copy",
    label: "Copy",
    description: "Copy the selected nodes and the links among them, as JSON.",
    group: "Edit",
    keys: ["Mod+C"],
    icon: "copy",
    enabled: someNodes,
    perform: (editor) =>
      writeClipboard(extract(editor.state.document, editor.state.selection.nodes)),
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
      if (copied && copied.nodes.length > 0) insertCopied(editor, copied);
      else editor.notify("There are no nodes on the clipboard: copy some first.", "information");
    },
  },
  {
    id: "duplicate",
    label: "Duplicate",
    description: "Insert copies of the selected nodes beside them.",
    group: "Edit",
    keys: ["Mod+D"],
    icon: "copy-plus",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      editor.dispatch((document) => paste(document, extract(document, ids)), {
        label: `Duplicate ${inWords(editor, ids)}`,
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

function insertCopied(editor: Editor, copied: PipelineDocument): void {
  const pointer = editor.canvas?.pointer();
  const piece = pointer ? centredAt(copied, pointer.x, pointer.y) : copied;
  editor.dispatch((document) => paste(document, piece, pointer ? 0 : undefined), {
    label: `Paste ${copied.nodes.length === 1 ? "1 node" : `${copied.nodes.length} nodes`}`,
    select: "added",
  });
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

/** What the last L made, so that the next one takes its place. */
interface Connecting {
  readonly editor: Editor;
  readonly after: PipelineDocument;
  /** The two nodes, in the order of their selection. */
  readonly pair: string;
  readonly links: readonly Link[];
  readonly next: number;
}

let connecting: Connecting | null = null;

function connectNext(editor: Editor): void {
  const pair = editor.state.selection.nodes.join();
  const isNext =
    connecting?.editor === editor &&
    connecting.after === editor.state.document &&
    connecting.pair === pair;
  const links = isNext && connecting ? connecting.links : linksBetween(editor);
  const place = isNext && connecting ? connecting.next : 0;
  const link = links[place];
  if (!link) {
    editor.notify("No output of one fits an input of the other.", "information");
    return;
  }
  if (isNext) editor.undo();
  const made = editor.dispatch(
    (document, catalog) => connect(document, catalog, link.from, link.to),
    {
      label: "Connect",
    },
  );
  const next = (place + 1) % links.length;
  connecting = made ? { editor, after: editor.state.document, pair, links, next } : null;
}

function linksBetween(editor: Editor): readonly Link[] {
  const { document, catalog, selection } = editor.state;
  const [one, other] = selection.nodes;
  if (one === undefined || other === undefined) return [];
  return [
    ...possibleLinks(document, catalog, one, other),
    ...possibleLinks(document, catalog, other, one),
  ];
}
