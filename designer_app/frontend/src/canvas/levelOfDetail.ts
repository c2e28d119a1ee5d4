/** Level of detail of nodes, by the zoom and the number of nodes. */

import type { ReactFlowState } from "@xyflow/react";

/** "overview": nodes and wires are painted on one layer; their elements stay for hand and keyboard. */
export type LevelOfDetail = "near" | "far" | "overview";

/** Zoom below which nothing on a node is readable. */
const FAR = 0.4;
/** Number of visible nodes that are too many to read, however large the window is. */
const MOST_IN_VIEW = 300;
/** Area of a node with the space around it, in square pixels of the document. */
const AREA = 250 * 140;
/** Number of far nodes that a browser paints one by one without losing frames: 300 fall far below
 * 30 a second (overview/OverviewLayer.tsx). */
export const FEW = 100;
/** Time without a zoom change after which the zoom is at rest, in milliseconds. */
export const REST = 140;

export function selectLevelOfDetail({
  transform,
  width,
  height,
  nodes,
}: ReactFlowState): LevelOfDetail {
  const zoom = transform[2];
  const room = (width * height) / (zoom * zoom * AREA);
  if (zoom >= FAR && Math.min(room, nodes.length) <= MOST_IN_VIEW) return "near";
  return nodes.length > FEW && isOverviewOn() ? "overview" : "far";
}

/** False with `?overview=off` in the address: to measure what the layer gains, and when in doubt. */
function isOverviewOn(): boolean {
  return new URLSearchParams(globalThis.location?.search).get("overview") !== "off";
}

/** Distance at which the end of a wire can be grabbed, in pixels of the document and of the
 * screen. */
export const REACH = 14;
const REACH_SEEN = 9;

export const selectNearReach = (): number => REACH;

/** Return the distance in powers of two: the canvas renders again for each. */
export function selectFarReach(state: ReactFlowState): number {
  const wanted = REACH_SEEN / state.transform[2];
  return Math.max(REACH, 2 ** Math.round(Math.log2(wanted)));
}

export const selectIsOverview = (state: ReactFlowState): boolean =>
  selectLevelOfDetail(state) === "overview";
