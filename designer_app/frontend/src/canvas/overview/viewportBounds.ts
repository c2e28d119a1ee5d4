/** Part of the document that a painted picture covers. */

import type { Box } from "../../graph/layout/geometry";
import type { Size } from "../../graph/types";
import type { Viewport } from "../../store/types";

/** Part of a box (null: of everything) that is visible in a view; null if nothing is. */
export function partSeen(of: Box | null, { x, y, zoom }: Viewport, size: Size): Box | null {
  const seen = { x: -x / zoom, y: -y / zoom, width: size.width / zoom, height: size.height / zoom };
  if (!of) return seen;
  const [left, top] = [Math.max(of.x, seen.x), Math.max(of.y, seen.y)];
  const width = Math.min(of.x + of.width, seen.x + seen.width) - left;
  const height = Math.min(of.y + of.height, seen.y + seen.height) - top;
  return width > 0 && height > 0 ? { x: left, y: top, width, height } : null;
}

/** True if the outer box contains the inner one; a missing inner box is always contained. */
export function holds(outer: Box | null, inner: Box | null): boolean {
  if (!inner) return true;
  if (!outer) return false;
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
