/** Size of a node and positions of its ports: constant, and known before anything is rendered. */

import { remembered } from "../lookup";
import type { ModuleSpec, PipelineDocument, PipelineNode, Position, Side, Size } from "../types";

/** As narrow as the longest labels of two ports in a row permit: seven nodes fit next to each other
 * on a laptop. */
export const NODE_WIDTH = 188;
/** Horizontal gap between nodes that are placed next to each other. */
export const NODE_GAP = 36;
/** Height by which a full-size preview extends below its node. */
export const PREVIEW_DEPTH = 52;
/** Distance to an output below which an input to the right would make the wire loop. */
export const LOOP = 24;
/** Distance by which wires that lead back extend beyond nodes, in pixels of the document. */
export const BESIDE = 24;
/** Geometry of the tab at a wire's end: distance from its port, height, and width by its number of
 * characters. */
export const TAB = { stub: 10, height: 18, padding: 12, character: 6 } as const;
/** Least distance of nodes to the edge of a canvas that shows all, in pixels of the screen; above is
 * room for the marks on a node's upper edge. */
export const CANVAS_PADDING = { x: 10, y: 24 } as const;
/** Zoom from which texts on nodes are easy to read. */
export const READABLE_ZOOM = 0.75;
const HEAD = 38;
const ROW = 22;
const BELOW_PORTS = 5;
const FOOT = 36;
/** Distance between ports on one side of a collapsed node, which do not overlap. */
const COLLAPSED_ROW = 12;
const SPARK = 36;
const LANE = 16;
const MOST_LANES = 4;

/** Return true if several nodes have no position: they are at one point. */
export function isUnplaced({ nodes }: Pick<PipelineDocument, "nodes">): boolean {
  return nodes.filter(isAtOrigin).length > 1;
}

/** Return true if the node has no position. */
export function isAtOrigin({ position: { x, y } }: Pick<PipelineNode, "position">): boolean {
  return x === 0 && y === 0;
}

/** Return true for modules that train: they show a loss curve. */
export const isTraining = remembered(
  (module: ModuleSpec): boolean =>
    module.distributed && module.parameters.some((parameter) => parameter.id === "epochs"),
);

/** Return the number of rank lanes in a node: none for a single process. */
export function lanesOf(node: PipelineNode, module: ModuleSpec | undefined): number {
  const { node_count: nodes, process_count_per_node: processes } = node.run_settings;
  const ranks = nodes * processes;
  return module?.distributed && ranks > 1 ? Math.min(ranks, MOST_LANES) : 0;
}

export function nodeSize(node: PipelineNode, module: ModuleSpec | undefined): Size {
  const rows = Math.max(1, module?.inputs.length ?? 1, module?.outputs.length ?? 1);
  if (node.collapsed) return { width: NODE_WIDTH, height: Math.max(HEAD, rows * COLLAPSED_ROW) };
  const lanes = lanesOf(node, module);
  const live = (module && isTraining(module) ? SPARK : 0) + (lanes > 0 ? lanes * LANE + 4 : 0);
  return { width: NODE_WIDTH, height: HEAD + rows * ROW + BELOW_PORTS + live + FOOT };
}

/** Return the middle of a port of an expanded node, relative to the node's upper left corner. */
export function portPlace(side: Side, index: number): Position {
  return { x: side === "input" ? 0 : NODE_WIDTH, y: HEAD + index * ROW + ROW / 2 };
}

/** Return the middle of a port, relative to the node's upper left corner; on a collapsed node, ports
 * are spread over the edge. */
export function portPlaceOn(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  side: Side,
  index: number,
): Position {
  const place = portPlace(side, index);
  if (!node.collapsed) return place;
  const { height } = nodeSize(node, module);
  return { x: place.x, y: ((index + 0.5) * height) / (module?.[`${side}s`].length ?? 1) };
}

/** Return the width of a tab with this label; one letter has a round one. */
export function tabWidth(label: string): number {
  return Math.max(TAB.height, TAB.padding + TAB.character * label.length);
}

export interface Box extends Position, Size {}

/** Return the smallest box around boxes; undefined for none. */
export function boxAround(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
