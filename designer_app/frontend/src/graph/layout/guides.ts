/** Guide lines along which a dragged element is aligned with others, and the distance to exact
 * alignment. */

import type { Box } from "./geometry";

/** Line in pixels of the document: vertical at x, or horizontal at y, from one end to the other. */
export interface Guide {
  readonly axis: "x" | "y";
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

export interface Aligned {
  readonly dx: number;
  readonly dy: number;
  readonly guides: readonly Guide[];
}

/** Align a box with others: the nearest edges or middles within `reach`, one for each direction. */
export function alignedTo(box: Box, others: readonly Box[], reach: number): Aligned {
  const across = nearest(box, others, "x", reach);
  const down = nearest(box, others, "y", reach);
  const [dx, dy] = [across?.by ?? 0, down?.by ?? 0];
  const moved = { ...box, x: box.x + dx, y: box.y + dy };
  const guides = [across, down].flatMap((guide) => (guide ? [guideOf(guide, moved)] : []));
  return { dx, dy, guides };
}

interface Found {
  readonly axis: "x" | "y";
  readonly by: number;
  readonly at: number;
  readonly other: Box;
}

function nearest(
  box: Box,
  others: readonly Box[],
  axis: "x" | "y",
  reach: number,
): Found | undefined {
  let best: Found | undefined;
  for (const other of others) {
    for (const [mine, theirs] of pairs(box, other, axis)) {
      const by = theirs - mine;
      if (Math.abs(by) > reach || (best && Math.abs(best.by) <= Math.abs(by))) continue;
      best = { axis, by, at: theirs, other };
    }
  }
  return best;
}

/** Pairs of starts, middles and ends. */
function pairs(one: Box, other: Box, axis: "x" | "y"): readonly (readonly [number, number])[] {
  const length = axis === "x" ? "width" : "height";
  return [0, 0.5, 1].map((part) => [
    one[axis] + part * one[length],
    other[axis] + part * other[length],
  ]);
}

function guideOf({ axis, at, other }: Found, box: Box): Guide {
  const [along, length] = axis === "x" ? (["y", "height"] as const) : (["x", "width"] as const);
  const from = Math.min(box[along], other[along]);
  const to = Math.max(box[along] + box[length], other[along] + other[length]);
  return { axis, at, from, to };
}
