/** The way of a wire: a curve to the right, and round the corners where it has to lead back. */

import { type EdgeProps, getBezierPath, getSmoothStepPath } from "@xyflow/react";

import { LOOP } from "../graph/layout/geometry";

type Ends = Pick<
  EdgeProps,
  "sourceX" | "sourceY" | "sourcePosition" | "targetX" | "targetY" | "targetPosition"
>;

const LANES = 4;
const LANE = 7;

/** `lane` keeps wires apart that lead back between the same nodes. */
export function edgePath(ends: Ends, lane: number): string {
  if (ends.targetX >= ends.sourceX + LOOP) return getBezierPath(ends)[0];
  const step = lane % LANES;
  const centerY = (ends.sourceY + ends.targetY) / 2 + (step - (LANES - 1) / 2) * LANE;
  return getSmoothStepPath({ ...ends, borderRadius: 14, offset: 16 + step * LANE, centerY })[0];
}

/** A small number that stays the same for a name. */
export function laneOf(name: string): number {
  let sum = 0;
  for (let at = 0; at < name.length; at += 1) sum = (sum * 31 + name.charCodeAt(at)) % 997;
  return sum;
}
