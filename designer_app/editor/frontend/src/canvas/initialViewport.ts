/** The views of a pipeline that are known before anything is drawn: the first one, and the whole. */

import { getNodesBounds, getViewportForBounds, type Node as FlowNode } from "@xyflow/react";

import type { Size } from "../graph/types";
import type { Viewport } from "../store/types";

type Padding = Parameters<typeof getViewportForBounds>[5];

const FIT = { maxZoom: 1, minZoom: 0.1 } as const;
/** Above and below more than stands out above a node. */
const PADDING = { x: "10px", y: "24px" } as const;
/** Pixels of the document by which wires that lead back come out beside nodes. */
const BESIDE = 40;
/** The zoom bar in the lower left corner, in pixels of the screen. */
const BAR = { width: 184, height: 56 } as const;

/** A canvas narrower than this, in pixels, opens no smaller than can be read. */
const NARROW = 480;
const READABLE = 0.7;

const ORIGIN: Viewport = { x: 0, y: 0, zoom: 1 };

/** What a pipeline opens with: all of it, but on a telephone what can be read from its first node. */
export function initialViewport(nodes: FlowNode[], size: Size): Viewport {
  const whole = wholeViewport(nodes, size);
  if (size.width >= NARROW || whole.zoom >= READABLE) return whole;
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => (position.x > x ? Infinity : position.y)));
  return {
    x: 10 + (BESIDE - x) * READABLE,
    y: size.height / 3 - y * READABLE,
    zoom: READABLE,
  };
}

/** All of the nodes, clear of the zoom bar. */
export function wholeViewport(nodes: FlowNode[], { width, height }: Size): Viewport {
  if (nodes.length === 0 || width === 0 || height === 0) return ORIGIN;
  const box = getNodesBounds(nodes);
  const wide = { ...box, x: box.x - BESIDE, width: box.width + 2 * BESIDE };
  const fit = (padding: Padding): Viewport =>
    getViewportForBounds(wide, width, height, FIT.minZoom, FIT.maxZoom, padding);
  const view = fit(PADDING);
  const isUnderBar = nodes.some(({ position, height: tall = 0 }) => {
    const left = position.x * view.zoom + view.x;
    const bottom = (position.y + tall) * view.zoom + view.y;
    return left < BAR.width && bottom > height - BAR.height;
  });
  return isUnderBar ? fit({ ...PADDING, bottom: `${BAR.height}px` }) : view;
}
