/** Alignment and distribution of nodes. Each function returns id -> position for `moveNodes`. */

import { nodeOf } from "../edits";
import type { PipelineDocument, Position } from "../types";
import { type Box, type Sizes, boundsOf, boxOf } from "./boxes";

export type Edge = "left" | "right" | "top" | "bottom" | "centre" | "middle";
export type Axis = "horizontally" | "vertically";
export type Places = ReadonlyMap<string, Position>;

/** Align nodes along an edge, or along their middle. */
export function align(
  document: PipelineDocument,
  ids: readonly string[],
  sizes: Sizes,
  edge: Edge,
): Places {
  const nodes = ids.map((id) => nodeOf(document, id));
  const bounds = boundsOf(nodes, sizes);
  if (!bounds) return new Map();
  return new Map(
    nodes.map((node) => {
      const box = boxOf(node, sizes);
      const places: Readonly<Record<Edge, Position>> = {
        left: { x: bounds.x, y: box.y },
        right: { x: bounds.x + bounds.width - box.width, y: box.y },
        centre: { x: Math.round(bounds.x + (bounds.width - box.width) / 2), y: box.y },
        top: { x: box.x, y: bounds.y },
        bottom: { x: box.x, y: bounds.y + bounds.height - box.height },
        middle: { x: box.x, y: Math.round(bounds.y + (bounds.height - box.height) / 2) },
      };
      return [node.id, places[edge]];
    }),
  );
}

/** Distribute nodes with equal gaps; the outermost stay. */
export function distribute(
  document: PipelineDocument,
  ids: readonly string[],
  sizes: Sizes,
  axis: Axis,
): Places {
  const across = axis === "horizontally";
  const start = (box: Box): number => (across ? box.x : box.y);
  const length = (box: Box): number => (across ? box.width : box.height);
  const boxes = ids.map((id) => boxOf(nodeOf(document, id), sizes));
  boxes.sort((one, other) => start(one) - start(other));
  const [first, last] = [boxes[0], boxes[boxes.length - 1]];
  if (!first || !last || boxes.length < 3) return new Map();
  const room = start(last) + length(last) - start(first);
  const gap = (room - boxes.reduce((sum, box) => sum + length(box), 0)) / (boxes.length - 1);
  let next = start(first);
  return new Map(
    boxes.map((box) => {
      const at = Math.round(next);
      next += length(box) + gap;
      return [box.id, across ? { x: at, y: box.y } : { x: box.x, y: at }];
    }),
  );
}
