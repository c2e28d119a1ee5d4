/** Views of a pipeline that are known before anything is rendered: the initial one, and the
 * whole. */

import { getNodesBounds, getViewportForBounds, type Node as FlowNode } from "@xyflow/react";

import { PREVIEW_DEPTH } from "../graph/layout/geometry";
import type { Size } from "../graph/types";
import type { EditorState, Viewport } from "../store/types";
import { PREVIEWED } from "./flowElements";

type Padding = Extract<Parameters<typeof getViewportForBounds>[5], object>;

const LEAST = 0.1;
/** More than the height of the marks above a node. */
const PADDING = { x: "10px", y: "24px" } as const;
/** Height of the path bar inside a sub-pipeline, in pixels. */
export const BELOW_PATH = 56;
/** Distance by which wires that lead back extend beyond nodes, in pixels of the document. */
const BESIDE = 40;
/** The zoom bar in the lower left corner, in pixels of the screen. */
const BAR_WIDTH = 248;
const BAR_HEIGHT = 56;

/** Width in pixels below which a canvas opens no smaller than readable. */
const NARROW = 480;
const READABLE = 0.7;
/** Distance of the first node from the top, so that a node above it would be visible. */
const TOP = 56;

const ORIGIN: Viewport = { x: 0, y: 0, zoom: 1 };

/** True if nodes may have previews below them. */
export function hasPreviews({ panes, run }: EditorState): boolean {
  return panes.previews && run !== null;
}

/** Viewport of a newly opened pipeline: all of it, or on a phone the readable part from the
 * first node. */
export function initialViewport(nodes: FlowNode[], size: Size, previews?: boolean): Viewport {
  const whole = wholeViewport(nodes, size, previews);
  if (size.width >= NARROW || whole.zoom >= READABLE) return whole;
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => (position.x > x ? Infinity : position.y)));
  return {
    x: 10 + (BESIDE - x) * READABLE,
    y: TOP - y * READABLE,
    zoom: READABLE,
  };
}

/** Return the viewport of all nodes with their `previews`, clear of the zoom bar. */
export function wholeViewport(
  bare: FlowNode[],
  { width, height }: Size,
  previews?: boolean,
): Viewport {
  if (bare.length === 0 || width === 0 || height === 0) return ORIGIN;
  const nodes = previews ? bare.map(deeper) : bare;
  const box = getNodesBounds(nodes);
  const wide = { ...box, x: box.x - BESIDE, width: box.width + 2 * BESIDE };
  const below = bare.some(({ type }) => type === "boundary")
    ? ({ top: `${BELOW_PATH}px` } as const)
    : {};
  const fit = (padding: Padding): Viewport =>
    getViewportForBounds(wide, width, height, LEAST, 1, { ...PADDING, ...below, ...padding });
  const view = fit({});
  const isUnderBar = nodes.some(({ position, height: tall = 0 }) => {
    const left = position.x * view.zoom + view.x;
    const bottom = (position.y + tall) * view.zoom + view.y;
    return left < BAR_WIDTH && bottom > height - BAR_HEIGHT;
  });
  if (!isUnderBar) return view;
  const above = fit({ bottom: `${BAR_HEIGHT}px` });
  const beside = fit({ left: `${BAR_WIDTH}px` });
  return beside.zoom > above.zoom ? beside : above;
}

function deeper(node: FlowNode): FlowNode {
  if (node.data !== PREVIEWED) return node;
  const height = (node.height ?? 0) + PREVIEW_DEPTH;
  return { ...node, height, measured: {} };
}
