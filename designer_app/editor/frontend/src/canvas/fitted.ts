/** The view that shows all of a pipeline, known before anything is drawn. */

import { getNodesBounds, getViewportForBounds, type Node as FlowNode } from "@xyflow/react";

import type { Size } from "../graph/types";
import type { Viewport } from "../store/types";

const FIT = { padding: 0.07, maxZoom: 1, minZoom: 0.1 } as const;

const ORIGIN: Viewport = { x: 0, y: 0, zoom: 1 };

export function fitted(nodes: FlowNode[], { width, height }: Size): Viewport {
  if (nodes.length === 0 || width === 0 || height === 0) return ORIGIN;
  const { minZoom, maxZoom, padding } = FIT;
  return getViewportForBounds(getNodesBounds(nodes), width, height, minZoom, maxZoom, padding);
}
