/** Free height below a node down to the next node or wire. */

import type { Catalog } from "../catalog";
import { findNode } from "../lookup";
import type { PipelineDocument, Position } from "../types";
import { type Box, nodeSize } from "./geometry";

/** Return the free height below a node in pixels of the document; Infinity if nothing is below. */
export function roomBelow(document: PipelineDocument, catalog: Catalog, id: string): number {
  const box = boxOf(document, catalog, id);
  const tops = document.nodes.flatMap((other) =>
    box && other.id !== id && isBelow(box, other.position) ? [other.position.y] : [],
  );
  return box ? Math.min(Infinity, ...tops) - (box.y + box.height) : 0;
}

export function boxOf(document: PipelineDocument, catalog: Catalog, id: string): Box | undefined {
  const node = findNode(document, id);
  return node && { ...node.position, ...nodeSize(node, catalog.byId.get(node.module)) };
}

/** All nodes have the same width. */
function isBelow({ x: left, y: top, width }: Box, { x, y }: Position): boolean {
  return y >= top && x < left + width && x + width > left;
}

/** Straight segment of a routed wire. */
export type Stretch = readonly [Position, Position];

/** Return the segments of a path made by `roundedPath`. */
export function stretchesOf(path: string): readonly Stretch[] {
  const numbers = [...path.matchAll(/-?[\d.]+/g)].map(([text]) => Number(text));
  const corners = numbers.flatMap((x, at) => (at % 2 ? [] : [{ x, y: numbers[at + 1] ?? 0 }]));
  return corners.slice(1).map((corner, at) => [corners[at] ?? corner, corner] as const);
}

/** Return the distance from a box to the next wire below it; Infinity without one. */
export function roomAboveWires(box: Box, wires: readonly Stretch[]): number {
  const bottom = box.y + box.height;
  const depths = wires.flatMap(([one, other]) => {
    const crosses =
      Math.min(one.x, other.x) < box.x + box.width && Math.max(one.x, other.x) > box.x;
    const lowest = Math.max(one.y, other.y);
    return crosses && lowest > bottom ? [Math.max(0, Math.min(one.y, other.y) - bottom)] : [];
  });
  return Math.min(Infinity, ...depths);
}
