/** Viewport that shows a box, moved no further than necessary. */

import type { Box } from "../graph/layout/geometry";
import type { Size } from "../graph/types";
import type { Viewport } from "../store/types";

/** Free margin between the box and the edges of the canvas, in pixels of the screen. */
const MARGIN = 24;
/** Largest zoom: a node is not enlarged beyond its size. */
const MOST = 1;

/** Size of the card below a failed node and of the notice at the foot of the canvas, in pixels
 * of the screen. */
export const FAULT_CARD: Size = { width: 276, height: 276 + 64 };
/** Size of the card on the page of a run, which has the evidence above the graph. */
export const SHORT_CARD: Size = { width: 276, height: 160 };

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Height of the canvas that is visible above a pane covering its lower part, as on a phone. */
export function heightAbove(canvas: Sides, pane: Sides | undefined): number {
  const whole = canvas.bottom - canvas.top;
  if (!pane || pane.right <= canvas.left || pane.left >= canvas.right) return whole;
  const isFoot = pane.top > canvas.top + MARGIN && pane.bottom > canvas.bottom - MARGIN;
  return isFoot ? pane.top - canvas.top : whole;
}

/** Width of the canvas that is visible to the left of a pane covering its right part. */
export function widthBeside(canvas: Sides, pane: Sides | undefined): number {
  const whole = canvas.right - canvas.left;
  if (!pane || pane.left >= canvas.right) return whole;
  const isAtRight = pane.left > canvas.left && pane.top < canvas.top + MARGIN;
  return isAtRight ? pane.left - canvas.left : whole;
}

/** Return the viewport that shows a box, or undefined if it is visible. `least` is the smallest
 * readable zoom, `top` the margin at the top. */
export function revealing(
  box: Box,
  view: Viewport,
  room: Size,
  least: number,
  top = MARGIN,
): Viewport | undefined {
  const zoom = Math.max(view.zoom, Math.min(least, MOST));
  // an enlarged box stays where its middle was
  const stay = {
    x: view.x + (view.zoom - zoom) * (box.x + box.width / 2),
    y: view.y + (view.zoom - zoom) * (box.y + box.height / 2),
  };
  const x = stay.x + shift(box.x * zoom + stay.x, box.width * zoom, room.width);
  const y = stay.y + shift(box.y * zoom + stay.y, box.height * zoom, room.height, top);
  return x === view.x && y === view.y && zoom === view.zoom ? undefined : { x, y, zoom };
}

/** Return the shift that moves an interval between the margins; its start, if it is too long. */
function shift(start: number, length: number, room: number, before = MARGIN): number {
  const after = room - MARGIN - (start + length);
  if (start >= before && after >= 0) return 0;
  const wanted = start < before ? before - start : after;
  return Math.max(wanted, before - start);
}
