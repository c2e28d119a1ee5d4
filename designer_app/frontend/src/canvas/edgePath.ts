/** Path of a wire: a curve to the right, and around the corners if it leads back. */

import { type EdgeProps, getBezierPath, getSmoothStepPath } from "@xyflow/react";

import { LOOP } from "../graph/layout/geometry";
import type { Position } from "../graph/types";

type Ends = Pick<
  EdgeProps,
  "sourceX" | "sourceY" | "sourcePosition" | "targetX" | "targetY" | "targetPosition"
>;

const LANES = 4;
const LANE = 7;

/** Return the path; `lane` separates wires that lead back between the same nodes. */
export function edgePath(ends: Ends, lane: number): string {
  if (ends.targetX >= ends.sourceX + LOOP) return getBezierPath(ends)[0];
  const step = lane % LANES;
  const centerY = (ends.sourceY + ends.targetY) / 2 + (step - (LANES - 1) / 2) * LANE;
  return getSmoothStepPath({ ...ends, borderRadius: 14, offset: 16 + step * LANE, centerY })[0];
}

/** Smooth curve through positions, horizontal at both ends. */
export function pathThrough(points: readonly Position[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  const parts = rest.map((point, at) => {
    const before = points[at] ?? first;
    const half = Math.max(LOOP, Math.abs(point.x - before.x)) / 3;
    const out = at === 0 ? { x: half, y: 0 } : slope(points, at);
    const into = at === rest.length - 1 ? { x: half, y: 0 } : slope(points, at + 1);
    const handles = [
      { x: before.x + out.x, y: before.y + out.y },
      { x: point.x - into.x, y: point.y - into.y },
    ];
    return `C${[...handles, point].map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" ")}`;
  });
  return `M${first.x.toFixed(1)} ${first.y.toFixed(1)}${parts.join("")}`;
}

/** Tangent along the neighbors of a position (Catmull-Rom). */
function slope(points: readonly Position[], at: number): Position {
  const [before, after] = [points[at - 1], points[at + 1]];
  if (!before || !after) return { x: 0, y: 0 };
  return { x: (after.x - before.x) / 6, y: (after.y - before.y) / 6 };
}

/** Return a small number that is constant for a name. */
export function laneOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 997;
  return sum;
}
