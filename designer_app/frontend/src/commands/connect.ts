/** Connecting two nodes with the keyboard, and selecting the wires of a node one by one. */

import { connect } from "../graph/edits";
import { endKey, endOf, linkAt, linksFrom, linksInto } from "../graph/lookup";
import { nearestRefusal, possibleLinks, refusalOf } from "../graph/connections";
import type { Link, PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Selection } from "../store/types";
import type { Command } from "./types";
import { t } from "../graph/translate";

export const CONNECT_COMMANDS: readonly Command[] = [
  {
    id: "connect-selected",
    label: t("Connect selected nodes"),
    group: "Edit",
    keys: ["L"],
    icon: "spline",
    enabled: (state) => state.selection.nodes.length === 2,
    perform: connectNext,
  },
];

/** Wires that the last L created; the next L replaces them. */
interface Connecting {
  readonly editor: Editor;
  readonly after: PipelineDocument;
  /** The two nodes in the order of their selection. */
  readonly pair: string;
  readonly links: readonly Link[];
  readonly next: number;
}

let connecting: Connecting | null = null;

/** Connect the two selected nodes; repeated, take the next pair of compatible ports. */
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
    showRefusal(editor);
    return;
  }
  if (isNext) editor.undo();
  const made = editor.dispatch(
    (document, catalog) => connect(document, catalog, link.from, link.to),
    { label: t("Connect") },
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

/** Explain the refusal, like the pointer, and offer the module that would connect the two. */
function showRefusal(editor: Editor): void {
  const { document, catalog, selection } = editor.state;
  const [one = "", other = ""] = selection.nodes;
  const refused = nearestRefusal(document, catalog, one, other);
  if (refused && editor.canvas) editor.canvas.refuse(refused.from, refused.to);
  else editor.notify(refused ? refusalOf(refused.verdict) : NO_PORTS, "information");
}

const NO_PORTS = t("These two nodes have no compatible ports. Select other nodes.");

/** Node whose wires are selected one by one, while the last selected wire stays selected. */
interface Walk {
  readonly editor: Editor;
  readonly chosen: Selection;
  readonly node: string;
}

let walk: Walk | null = null;

/** Select the next wire of the selected node. */
export function selectNextWire(editor: Editor): void {
  const { document, selection } = editor.state;
  const isContinued = walk?.editor === editor && walk.chosen === selection;
  const chosen = selection.links.at(-1);
  const node = isContinued
    ? walk?.node
    : (selection.nodes.at(-1) ?? (chosen && endOf(chosen).node));
  if (node === undefined) return;
  const keys = wiresAt(document, node);
  const next = keys[(keys.indexOf(chosen ?? "") + 1) % keys.length];
  if (next === undefined) {
    editor.notify(
      t("This node has no wires. Select it and another node, then press L."),
      "information",
    );
    return;
  }
  editor.select({ links: [next] });
  walk = { editor, chosen: editor.state.selection, node };
}

/** Return the wires into a node, then those out of it. */
function wiresAt(document: PipelineDocument, node: string): readonly string[] {
  const links = [...linksInto(document, node), ...linksFrom(document, node)];
  return [...new Set(links.map((link) => endKey(link.to)))];
}

/** Select the node at an end of the only selected wire. */
export function endOfWire(editor: Editor, side: "from" | "to"): string | undefined {
  const { document, selection } = editor.state;
  const [key, ...others] = selection.links;
  if (key === undefined || others.length > 0 || selection.nodes.length > 0) return undefined;
  return linkAt(document, endOf(key))?.[side].node;
}
