/** Views of a pipeline that are known before anything is rendered: the initial one, and the
 * whole. */

import {
  type Edge,
  getNodesBounds,
  getViewportForBounds,
  type Node as FlowNode,
} from "@xyflow/react";

import {
  BESIDE,
  type Box,
  CANVAS_PADDING,
  PREVIEW_DEPTH,
  TAB,
  tabWidth,
} from "../graph/layout/geometry";
import type { Size } from "../graph/types";
import type { EditorState, Viewport } from "../store/types";
import { PREVIEWED } from "./flowElements";
import { dataOf } from "./routedEdges";

type Padding = Extract<Parameters<typeof getViewportForBounds>[5], object>;

const LEAST = 0.1;
const PADDING = { x: `${CANVAS_PADDING.x}px`, y: `${CANVAS_PADDING.y}px` } as const;
/** Height of the path bar inside a sub-pipeline, in pixels. */
export const BELOW_PATH = 56;
/** The zoom bar in the lower left corner, in pixels of the screen. */
const BAR_WIDTH = 248;
export const BAR_HEIGHT = 56;

/** Width in pixels below which a canvas opens no smaller than readable: on tablets and phones. */
const NARROW = 900;
const READABLE = 0.7;
/** Distance of the first node from the top, so that a node above it would be visible. */
const TOP = 56;

const ORIGIN: Viewport = { x: 0, y: 0, zoom: 1 };

interface Shown {
  readonly nodes: FlowNode[];
  /** Edges with their routes. */
  readonly edges: readonly Edge[];
}

/** True if nodes may have previews below them. */
export function hasPreviews({ panes, run }: EditorState): boolean {
  return panes.previews && run !== null;
}

/** Viewport of a newly opened pipeline: all of it, or on a narrow canvas the readable part from
 * the first node. */
export function initialViewport(scene: Shown, size: Size, previews?: boolean): Viewport {
  const whole = wholeViewport(scene, size, previews);
  const { nodes } = scene;
  if (size.width >= NARROW || whole.zoom >= READABLE) return whole;
  const x = Math.min(...nodes.map(({ position }) => position.x));
  const y = Math.min(...nodes.map(({ position }) => (position.x > x ? Infinity : position.y)));
  const box = getNodesBounds(nodes);
  const spare = size.height - box.height * READABLE;
  const fits = spare >= 2 * CANVAS_PADDING.y;
  return {
    x: CANVAS_PADDING.x + (BESIDE - x) * READABLE,
    y: fits ? spare / 2 - box.y * READABLE : TOP - y * READABLE,
    zoom: READABLE,
  };
}

/** Return the viewport of all nodes and tabs with their `previews`, clear of the zoom bar and of what
 * covers the canvas to this `depth` from its upper edge. */
export function wholeViewport(
  { nodes: bare, edges }: Shown,
  { width, height }: Size,
  previews?: boolean,
  depth = 0,
): Viewport {
  if (bare.length === 0 || width === 0 || height === 0) return ORIGIN;
  const nodes = previews ? bare.map(deeper) : bare;
  const box = getNodesBounds(nodes);
  const beside = widthBeside(edges);
  const wide = { ...box, x: box.x - beside, width: box.width + 2 * beside };
  const path = bare.some(({ type }) => type === "boundary") ? BELOW_PATH : 0;
  const top = `${Math.max(CANVAS_PADDING.y, path, depth)}px` as const;
  const fit = (padding: Padding): Viewport =>
    getViewportForBounds(wide, width, height, LEAST, 1, { ...PADDING, top, ...padding });
  const view = fit({});
  const isUnderBar = nodes.some(({ position, height: tall = 0 }) => {
    const left = position.x * view.zoom + view.x;
    const bottom = (position.y + tall) * view.zoom + view.y;
    return left < BAR_WIDTH && bottom > height - BAR_HEIGHT;
  });
  if (!isUnderBar) return view;
  const above = fit({ bottom: `${BAR_HEIGHT}px` });
  const apart = fit({ left: `${BAR_WIDTH}px` });
  return apart.zoom > above.zoom ? apart : above;
}

/** Return an invisible node that takes room in a viewport, such as a node with the card below it. */
export function reservedNode({ x, y, width, height }: Box): FlowNode {
  return { id: "reserved", position: { x, y }, width, height, data: {} };
}

/** Return how far wires and the tabs at their ends may extend beyond nodes. */
function widthBeside(edges: readonly Edge[]): number {
  const tabs = edges.flatMap((edge) => dataOf(edge).portal ?? []);
  return Math.max(BESIDE, ...tabs.map((label) => TAB.stub + tabWidth(label)));
}

function deeper(node: FlowNode): FlowNode {
  if (node.data !== PREVIEWED) return node;
  const height = (node.height ?? 0) + PREVIEW_DEPTH;
  return { ...node, height, measured: {} };
}
