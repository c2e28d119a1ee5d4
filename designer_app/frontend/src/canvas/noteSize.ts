/** Size of a note whose edges are dragged. */

import type { Position, Size } from "../graph/types";

export type FrameEdge = "top" | "right" | "bottom" | "left";

export interface NoteBox extends Size {
  readonly position: Position;
}

const LEAST: Size = { width: 120, height: 48 };

/** Return the box with these edges moved by an offset in pixels, snapped to the grid. */
export function withMovedEdges(
  box: NoteBox,
  edges: readonly FrameEdge[],
  by: Position,
  grid: number,
): NoteBox {
  const snapped = (place: number): number => Math.round(place / grid) * grid + 0; // never -0
  let { x: left, y: top } = box.position;
  let [right, bottom] = [left + box.width, top + box.height];
  if (edges.includes("left")) left = Math.min(snapped(left + by.x), right - LEAST.width);
  if (edges.includes("top")) top = Math.min(snapped(top + by.y), bottom - LEAST.height);
  if (edges.includes("right")) right = Math.max(snapped(right + by.x), left + LEAST.width);
  if (edges.includes("bottom")) bottom = Math.max(snapped(bottom + by.y), top + LEAST.height);
  return { position: { x: left, y: top }, width: right - left, height: bottom - top };
}
