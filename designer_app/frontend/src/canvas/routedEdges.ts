/** Edges with their routes around nodes; in large pipelines they stay plain curves. */

import type { Edge, Node as FlowNode } from "@xyflow/react";

import type { Box } from "../graph/layout/geometry";
import type { portalLabels, portalSides } from "../graph/layout/portals";
import type { LinkedWire } from "../graph/layout/routeGrid";
import type { wirePaths } from "../graph/layout/wirePaths";
import type { Position } from "../graph/types";
import { PREVIEWED } from "./flowElements";

/** Number of nodes above which routing takes longer than a frame of a drag. */
const MOST = 30;

export interface WireData extends Record<string, unknown> {
  readonly colour: string;
  readonly muted: boolean;
  /** Waypoints set by hand, which fix the route. */
  readonly waypoints: readonly Position[];
  /** SVG path data; undefined for a plain curve. */
  readonly path?: string | undefined;
  /** Name of the output, for the tabs of a wire that is drawn as portals. */
  readonly name: string;
  /** Label of the two tabs that are drawn instead of a wire across several nodes. */
  readonly portal?: string | undefined;
  /** Side of the tab relative to another wire of the same output (`portalSides`). */
  readonly side?: number | undefined;
}

/** Routed edge that was last made of an edge. */
const known = new WeakMap<Edge, Edge>();

/** Router of wires around nodes, including portals for a long way back. */
export interface Router {
  readonly wirePaths: typeof wirePaths;
  readonly portalLabels: typeof portalLabels;
  readonly portalSides: typeof portalSides;
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/** Return the edges with routes where needed; unchanged ones keep their identity. */
export function routedEdges(
  nodes: readonly FlowNode[],
  edges: readonly Edge[],
  router: Router | null,
): Edge[] {
  const leads = router !== null && nodes.length <= MOST;
  const [boxes, wires] = leads ? scene(nodes, edges) : [new Map<string, Box>(), []];
  const labels = leads ? router.portalLabels(wires, boxes, namesOf(edges)) : NONE;
  const sides = leads ? router.portalSides(wires, labels) : NONE;
  const paths = leads ? router.wirePaths(boxes, wires, previewedIn(nodes), labels) : NONE;
  return edges.map((edge) => {
    const path = paths.get(edge.id);
    const portal = labels.get(edge.id);
    const side = sides.get(edge.id);
    const before = known.get(edge);
    if (before && isLed(dataOf(before), path, portal, side)) return before;
    const routed = { ...edge, data: { ...edge.data, path, portal, side } };
    known.set(edge, routed);
    return routed;
  });
}

function isLed(data: WireData, path?: string, portal?: string, side?: number): boolean {
  return data.path === path && data.portal === portal && data.side === side;
}

export function dataOf(edge: Pick<Edge, "data">): WireData {
  return edge.data as WireData;
}

/** Names of the outputs by net. */
function namesOf(edges: readonly Edge[]): ReadonlyMap<string, string> {
  return new Map(edges.map((edge) => [netOf(edge), dataOf(edge).name]));
}

function netOf({ source, sourceHandle }: Edge): string {
  return `${source}.${sourceHandle ?? ""}`;
}

function previewedIn(nodes: readonly FlowNode[]): ReadonlySet<string> {
  return new Set(nodes.filter(({ data }) => data === PREVIEWED).map(({ id }) => id));
}

function scene(
  nodes: readonly FlowNode[],
  edges: readonly Edge[],
): [ReadonlyMap<string, Box>, readonly LinkedWire[]] {
  const solid = nodes.filter(({ handles }) => handles && handles.length > 0);
  const byId = new Map(solid.map((node) => [node.id, node]));
  const boxes = new Map<string, Box>(solid.map((node) => [node.id, boxOf(node)]));
  const wires = edges.flatMap((edge): LinkedWire[] => {
    const { id, source, target, sourceHandle } = edge;
    if (dataOf(edge).waypoints.length > 0) return [];
    const from = endOf(byId.get(source), sourceHandle);
    const to = endOf(byId.get(target), edge.targetHandle);
    if (!from || !to) return [];
    return [{ id, net: netOf(edge), from, to, source, target }];
  });
  return [boxes, wires];
}

export function boxOf({ position, width = 0, height = 0 }: FlowNode): Box {
  return { ...position, width, height };
}

/** Return the middle of a port, on the edge of its node. */
function endOf(node: FlowNode | undefined, id: string | null | undefined): Position | undefined {
  const handle = node?.handles?.find((handle) => handle.id === id);
  if (!node || !handle) return undefined;
  const [width, height] = [handle.width ?? 0, handle.height ?? 0];
  return {
    x: node.position.x + handle.x + width / 2,
    y: node.position.y + handle.y + height / 2,
  };
}
