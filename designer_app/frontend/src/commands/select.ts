/** Selection, and navigation with the arrow keys. */

import { findNode } from "../graph/lookup";
import { type Direction, firstNode, neighbour } from "../graph/navigate";
import { isBoundary, placeAround } from "../graph/paths";
import { downstream, upstream } from "../graph/traversal";
import { lassoStore } from "../view/lasso";
import type { Editor } from "../store/editor";
import { endOfWire, selectNextWire } from "./connect";
import { type Command, anything, hasNodes, nodesFor, someNodes } from "./types";
import { t } from "../graph/translate";

const KEYS: Readonly<Record<Direction, string>> = {
  left: "ArrowLeft",
  right: "ArrowRight",
  up: "ArrowUp",
  down: "ArrowDown",
};

export const SELECT_COMMANDS: readonly Command[] = [
  {
    id: "select-all",
    label: t("Select all"),
    group: "Select",
    keys: ["Mod+A"],
    icon: "square-dashed-mouse-pointer",
    enabled: hasNodes,
    perform: (editor) => {
      const { nodes, notes } = editor.state.document;
      const ids = nodes.map((node) => node.id).filter((id) => !isBoundary(id));
      editor.select({ nodes: ids, notes: notes.map((note) => note.id) });
    },
  },
  {
    id: "select-none",
    label: t("Clear selection"),
    group: "Select",
    keys: ["Escape"],
    icon: "square-dashed",
    enabled: (state) => anything(state) || state.place !== "",
    perform: (editor) => {
      if (anything(editor.state)) editor.select({});
      else editor.leave(placeAround(editor.state.place));
    },
  },
  reaching("select-upstream", t("Select upstream"), "Mod+[", "arrow-left-to-line", upstream),
  reaching("select-downstream", t("Select downstream"), "Mod+]", "arrow-right-to-line", downstream),
  {
    id: "select-wire",
    label: t("Select wire of node"),
    group: "Select",
    keys: ["W"],
    icon: "spline",
    enabled: ({ selection }) => selection.nodes.length + selection.links.length > 0,
    perform: selectNextWire,
  },
  {
    id: "lasso",
    label: t("Lasso select"),
    group: "Select",
    keys: ["S"],
    icon: "lasso",
    enabled: hasNodes,
    perform: () => lassoStore.setState({ isReady: true }),
  },
  moving("right", t("Go to the next node"), "arrow-right"),
  moving("left", t("Go to the previous node"), "arrow-left"),
  moving("up", t("Go to the node above"), "arrow-up"),
  moving("down", t("Go to the node below"), "arrow-down"),
  extending("right", t("Add the next node to the selection")),
  extending("left", t("Add the previous node to the selection")),
  extending("up", t("Add the node above to the selection")),
  extending("down", t("Add the node below to the selection")),
];

function reaching(
  id: string,
  label: string,
  key: string,
  icon: string,
  reached: typeof upstream,
): Command {
  return {
    id,
    label,
    group: "Select",
    keys: [key],
    icon,
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const others = [...reached(editor.state.document, ids)].filter((other) => !isBoundary(other));
      editor.select({ nodes: [...ids, ...others] });
    },
  };
}

function moving(direction: Direction, label: string, icon: string): Command {
  return {
    id: `go-${direction}`,
    label,
    group: "Select",
    keys: [KEYS[direction]],
    icon,
    enabled: hasNodes,
    perform: (editor) => {
      const id = inDirection(editor, direction);
      if (id !== undefined) editor.select({ nodes: [id] });
    },
  };
}

function extending(direction: Direction, label: string): Command {
  return {
    id: `extend-${direction}`,
    label,
    group: "Select",
    keys: [`Shift+${KEYS[direction]}`],
    icon: "list-plus",
    enabled: someNodes,
    perform: (editor) => {
      const { nodes } = editor.state.selection;
      const id = inDirection(editor, direction);
      if (id !== undefined)
        editor.select({ nodes: [...nodes.filter((other) => other !== id), id] });
    },
  };
}

/** The ports of a sub-pipeline are not navigated to. */
function inDirection(editor: Editor, direction: Direction): string | undefined {
  const id = nextTo(editor, direction);
  return id !== undefined && isBoundary(id) ? undefined : id;
}

function nextTo(editor: Editor, direction: Direction): string | undefined {
  const { document, selection } = editor.state;
  const atWire = endOfWire(editor, direction === "left" ? "from" : "to");
  if (atWire !== undefined) return atWire;
  const from = selection.nodes.at(-1);
  if (from === undefined || !findNode(document, from)) return firstNode(document);
  return neighbour(document, from, direction, editor.canvas?.sizes() ?? new Map());
}
