/** Align, distribute, tidy up, nudge, group, annotate. */

import { addNote, groupNodes, ungroup } from "../graph/annotations";
import type * as Aligning from "../graph/layout/align";
import { freePlace } from "../graph/layout/boxes";
import { moveNodes, nodeOf } from "../graph/edits";
import { removeWaypoints, waypointsOf } from "../graph/waypoints";
import { endOf, linkAt } from "../graph/lookup";
import type { Editor } from "../store/editor";
import {
  type Command,
  groupsOf,
  hasNodes,
  nodesText,
  nodesFor,
  severalNodes,
  someNodes,
} from "./types";
import { t } from "../graph/translate";

/** Loaded when nodes are first aligned or distributed. */
const aligned = (): Promise<typeof Aligning> => import("../graph/layout/align");

const EDGES: readonly (readonly [Aligning.Edge, string, string])[] = [
  ["left", t("Align left"), "align-start-vertical"],
  ["centre", t("Align centers"), "align-center-vertical"],
  ["right", t("Align right"), "align-end-vertical"],
  ["top", t("Align top"), "align-start-horizontal"],
  ["middle", t("Align middles"), "align-center-horizontal"],
  ["bottom", t("Align bottom"), "align-end-horizontal"],
];

const NUDGES: readonly (readonly [way: string, label: string, dx: number, dy: number])[] = [
  ["Left", t("Move left"), -8, 0],
  ["Right", t("Move right"), 8, 0],
  ["Up", t("Move up"), 0, -8],
  ["Down", t("Move down"), 0, 8],
];

/** Number of nodes whose layout takes noticeable time and blocks painting. */
const MANY = 100;

export const ARRANGE_COMMANDS: readonly Command[] = [
  ...EDGES.map(([edge, label, icon]) => aligning(edge, label, icon)),
  distributing("horizontally", "align-horizontal-distribute-center"),
  distributing("vertically", "align-vertical-distribute-center"),
  ...NUDGES.map((nudge) => nudging(...nudge)),
  {
    id: "tidy-up",
    label: t("Tidy up"),
    doing: t("Tidying up"),
    blocks: ({ document }) => document.nodes.length > MANY,
    group: "Arrange",
    keys: ["Mod+Shift+L"],
    icon: "network",
    enabled: hasNodes,
    perform: async (editor, args) => {
      const ids = nodesFor(editor, args);
      await (await import("./tidyUp")).tidyUp(editor, ids);
    },
  },
  {
    id: "group",
    label: t("Group"),
    group: "Arrange",
    keys: ["Mod+G"],
    icon: "group",
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      editor.dispatch((document) => groupNodes(document, ids), {
        label: t("Group {nodes}", { nodes: nodesText(editor, ids) }),
      });
    },
  },
  {
    id: "ungroup",
    label: t("Ungroup"),
    group: "Arrange",
    keys: ["Mod+Shift+G"],
    icon: "ungroup",
    enabled: (state) => groupsOf(state).length > 0,
    perform: (editor) => {
      const ids = groupsOf(editor.state).map((group) => group.id);
      editor.dispatch((start) => ungroup(start, ids), { label: t("Ungroup") });
    },
  },
  {
    id: "straighten",
    label: t("Straighten wire"),
    group: "Arrange",
    icon: "spline",
    enabled: ({ selection, document }) =>
      selection.links.some((id) => waypointsOf(linkAt(document, endOf(id))).length > 0),
    perform: (editor) => {
      const ends = editor.state.selection.links.map(endOf);
      editor.dispatch(
        (start) => ends.reduce((changed, to) => removeWaypoints(changed, to), start),
        { label: t("Straighten wire") },
      );
    },
  },
  {
    id: "add-note",
    label: t("Add note"),
    group: "Insert",
    keys: ["N"],
    icon: "sticky-note",
    perform: (editor, args) => {
      const middle = editor.canvas?.pointer() ?? editor.canvas?.centre() ?? { x: 0, y: 0 };
      const at = freePlace(editor.state.document, {
        x: typeof args["x"] === "number" ? args["x"] : Math.round(middle.x),
        y: typeof args["y"] === "number" ? args["y"] : Math.round(middle.y),
      });
      editor.dispatch((document) => addNote(document, at.x, at.y), { label: t("Add note") });
      const note = editor.state.document.notes.at(-1);
      if (note) editor.select({ notes: [note.id] });
    },
  },
];

function aligning(edge: Aligning.Edge, label: string, icon: string): Command {
  return {
    id: `align-${edge}`,
    label,
    group: "Arrange",
    icon,
    enabled: severalNodes,
    perform: async (editor, args) => {
      const ids = nodesFor(editor, args);
      const { align } = await aligned();
      move(editor, align(editor.state.document, ids, sizesOf(editor), edge), label);
    },
  };
}

function distributing(axis: Aligning.Axis, icon: string): Command {
  const label = axis === "horizontally" ? t("Distribute horizontally") : t("Distribute vertically");
  return {
    id: `distribute-${axis}`,
    label,
    group: "Arrange",
    icon,
    enabled: (state) => state.selection.nodes.length > 2,
    perform: async (editor, args) => {
      const ids = nodesFor(editor, args);
      const { distribute } = await aligned();
      const places = distribute(editor.state.document, ids, sizesOf(editor), axis);
      move(editor, places, label);
    },
  };
}

function nudging(way: string, label: string, dx: number, dy: number): Command {
  return {
    id: `nudge-${way.toLowerCase()}`,
    label,
    group: "Arrange",
    keys: [`Alt+Arrow${way}`],
    icon: `move-${way.toLowerCase()}`,
    enabled: someNodes,
    perform: (editor, args) => {
      const ids = nodesFor(editor, args);
      const places = new Map(
        ids.map((id) => {
          const { x, y } = nodeOf(editor.state.document, id).position;
          return [id, { x: x + dx, y: y + dy }];
        }),
      );
      editor.dispatch((document) => moveNodes(document, places), {
        label: t("Move {nodes}", { nodes: nodesText(editor, ids) }),
        coalesceKey: `nudge ${ids.join()}`,
      });
    },
  };
}

function move(editor: Editor, places: Aligning.Places, label: string): void {
  editor.dispatch((document) => moveNodes(document, places), { label });
}

function sizesOf(editor: Editor): ReturnType<NonNullable<Editor["canvas"]>["sizes"]> {
  return editor.canvas?.sizes() ?? new Map();
}
