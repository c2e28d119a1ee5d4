/** View in which a notice over the canvas covers no node. */

import type { Box } from "../graph/layout/geometry";
import type { Size } from "../graph/types";
import type { Viewport } from "../store/types";
import { BAR_HEIGHT } from "./initialViewport";

/** Distance of nodes to the notice above them, in pixels of the screen. */
const BELOW_NOTICE = 12;

interface Sides {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Depth of the canvas that is covered from its upper edge, with the distance to nodes. */
export function depthOf(canvas: Sides, notice: Sides): number {
  return Math.max(0, notice.bottom - canvas.top + BELOW_NOTICE);
}

/**
 * Return the view that moves nodes out from under a notice at the upper edge of the canvas, all in
 * pixels of the screen: further down, or "whole" if nodes would then leave the canvas. Undefined
 * if the notice covers none, or the user looks at a part of the pipeline without room below it.
 */
export function clearOfNotice(
  boxes: readonly Box[],
  view: Viewport,
  room: Size,
  notice: { readonly left: number; readonly right: number; readonly depth: number },
): Viewport | "whole" | undefined {
  const places = boxes.map((box) => onScreen(box, view));
  const isBeside = ({ left, right }: Sides): boolean => right < notice.left || left > notice.right;
  const covered = places.filter(
    (place) => !isBeside(place) && place.top < notice.depth && place.bottom > 0,
  );
  const highest = Math.min(...covered.map(({ top }) => top));
  if (covered.length === 0 || highest < 0) return undefined;
  const seen = places.filter(
    ({ left, right, top, bottom }) =>
      left >= 0 && right <= room.width && top >= 0 && bottom <= room.height,
  );
  const shift = notice.depth - highest;
  const lowest = Math.max(...seen.map(({ bottom }) => bottom), -Infinity);
  if (lowest + shift <= room.height - BAR_HEIGHT) return { ...view, y: view.y + shift };
  return seen.length === places.length ? "whole" : undefined;
}

function onScreen({ x, y, width, height }: Box, view: Viewport): Sides {
  const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
  return { left, top, right: left + width * view.zoom, bottom: top + height * view.zoom };
}
