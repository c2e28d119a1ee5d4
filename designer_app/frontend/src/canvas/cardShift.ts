/** Place of the card below a failed node, which stays inside the canvas while its node is. */

import type { ReactFlowState } from "@xyflow/react";

import { FAULT_CARD } from "./revealing";

/** Margin to the edges of the canvas, and the part of the card that stays below its node. */
const MARGIN = 12;
const KEPT = 40;
/** Steps in which the card moves: each renders it again. */
const STEP = 8;

/** Return by how much the card is moved to the left, in pixels of the document. */
export function selectCardShift(id: string): (state: ReactFlowState) => number {
  return ({ nodeLookup, transform: [x, , zoom], width }) => {
    const node = nodeLookup.get(id);
    if (!node || width === 0) return 0;
    const left = node.internals.positionAbsolute.x * zoom + x;
    return Math.ceil(cardShift(left, width, zoom) / zoom / STEP) * STEP;
  };
}

/** Return by how much the card is moved to the left, in pixels of the screen.
 *
 * `left` is the left edge of the node, and `width` that of the canvas. */
export function cardShift(left: number, width: number, zoom: number): number {
  const card = FAULT_CARD.width * Math.max(1, zoom);
  const beyond = left + card + MARGIN - width;
  return Math.max(0, Math.min(beyond, left - MARGIN, card - KEPT));
}
