/**
 * Tidy up: ELK's layered layout, folded into rows that fit the canvas; nodes without a wire follow
 * in document order. ELK is large and is loaded when first needed.
 */

import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api";

import type { Places } from "./align";
import { type Sizes, USUAL_SIZE } from "./boxes";
import { type Layer, fold } from "./fold";
import { type Box, NODE_GAP, portPlaceOn } from "./geometry";
import type { Catalog } from "../catalog";
import { endKey, nodesById } from "../lookup";
import type { Link, PipelineDocument, PipelineNode, Position, Side, Size } from "../types";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.separateConnectedComponents": "false",
  "elk.layered.spacing.nodeNodeBetweenLayers": String(NODE_GAP),
  "elk.spacing.nodeNode": "32",
  "elk.spacing.edgeNode": "20",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.randomSeed": "1",
};

/** Canvas size assumed without a canvas: next to the palette in a window of 1440 x 900. */
export const USUAL_ROOM: Size = { width: 1208, height: 768 };
const GAP: Size = { width: NODE_GAP, height: 32 };

export interface Wanted {
  /** All nodes if none are named. */
  readonly ids?: readonly string[] | undefined;
  /** Size of the canvas, in pixels of the screen. */
  readonly room?: Size | undefined;
}

type PlacedBox = Box & { readonly id: string };

/** Return a position for each node; together they keep their upper left corner. */
export async function tidy(
  document: PipelineDocument,
  catalog: Catalog,
  sizes: Sizes,
  { ids, room = USUAL_ROOM }: Wanted = {},
): Promise<Places> {
  const wanted = new Set(ids ?? nodesById(document).keys());
  const nodes = [...nodesById(document).values()].filter((node) => wanted.has(node.id));
  const links = linksAmong(document, catalog, wanted);
  const ends = new Set(links.flatMap(({ from, to }) => [from.node, to.node]));
  const linked = nodes.filter(({ id }) => ends.has(id));
  const flow = await placedByFlow(linked, links, catalog, sizes, room);
  const loose = placedInRows(
    nodes.filter(({ id }) => !ends.has(id)),
    sizes,
    room,
    bottomOf(flow, sizes),
  );
  return moved(new Map([...flow, ...loose]), nodes);
}

async function placedByFlow(
  nodes: readonly PipelineNode[],
  links: readonly Link[],
  catalog: Catalog,
  sizes: Sizes,
  room: Size,
): Promise<Places> {
  if (nodes.length === 0) return new Map();
  const { default: Elk } = await import("elkjs/lib/elk.bundled.js");
  const laidOut = await new Elk().layout({
    id: "pipeline",
    layoutOptions: OPTIONS,
    children: nodes.map((node) => elkNode(node, catalog, sizes)),
    edges: links.map(elkEdge),
  });
  const boxes = (laidOut.children ?? []).map(({ id, x = 0, y = 0 }) => ({
    id,
    x,
    y,
    ...sizeOf(id, sizes),
  }));
  return fold(layersOf(boxes, links), room);
}

/** Group boxes that are above each other into one layer. */
function layersOf(boxes: readonly PlacedBox[], links: readonly Link[]): readonly Layer[] {
  const layers: PlacedBox[][] = [];
  let right = -Infinity;
  for (const box of [...boxes].sort((one, other) => one.x - other.x)) {
    if (box.x >= right) layers.push([]);
    layers.at(-1)?.push(box);
    right = Math.max(right, box.x + box.width);
  }
  const layerOf = new Map(layers.flatMap((layer, at) => layer.map(({ id }) => [id, at] as const)));
  const at = (id: string): number => layerOf.get(id) ?? 0;
  return layers.map((layer, index) => ({
    boxes: layer,
    crossing: links.filter(({ from, to }) => at(from.node) <= index && at(to.node) > index).length,
  }));
}

/** Place nodes side by side below the others, in rows that show all as large as possible. */
function placedInRows(
  nodes: readonly PipelineNode[],
  sizes: Sizes,
  room: Size,
  top: number,
): Places {
  const all = nodes.map(({ id }) => sizeOf(id, sizes));
  const width = Math.max(0, ...all.map((size) => size.width)) + GAP.width;
  const height = Math.max(0, ...all.map((size) => size.height)) + GAP.height;
  const across = Math.ceil(Math.sqrt((nodes.length * height * room.width) / (width * room.height)));
  return new Map(
    nodes.map(({ id }, at) => [
      id,
      { x: (at % across) * width, y: top + Math.floor(at / across) * height },
    ]),
  );
}

function bottomOf(places: Places, sizes: Sizes): number {
  const bottoms = [...places].map(([id, { y }]) => y + sizeOf(id, sizes).height + 2 * GAP.height);
  return Math.max(0, ...bottoms);
}

function moved(places: Places, nodes: readonly PipelineNode[]): Places {
  const left = Math.min(...nodes.map((node) => node.position.x));
  const top = Math.min(...nodes.map((node) => node.position.y));
  const onGrid = ({ x, y }: Position): Position => ({
    x: left + Math.round(x / 4) * 4,
    y: top + Math.round(y / 4) * 4,
  });
  return new Map([...places].map(([id, place]) => [id, onGrid(place)]));
}

function sizeOf(id: string, sizes: Sizes): Size {
  return sizes.get(id) ?? USUAL_SIZE;
}

function elkNode(node: PipelineNode, catalog: Catalog, sizes: Sizes): ElkNode {
  const module = catalog.byId.get(node.module);
  const size = sizeOf(node.id, sizes);
  const ports = (side: Side): NonNullable<ElkNode["ports"]> =>
    (module?.[`${side}s`] ?? []).map((port, index) => ({
      id: portId(node.id, port.id, side),
      x: side === "input" ? 0 : size.width,
      y: portPlaceOn(node, module, side, index).y,
      width: 0,
      height: 0,
      layoutOptions: { "elk.port.side": side === "input" ? "WEST" : "EAST" },
    }));
  return {
    id: node.id,
    ...size,
    ports: [...ports("output"), ...ports("input")],
    layoutOptions: { "elk.portConstraints": "FIXED_POS" },
  };
}

function elkEdge(link: Link): ElkExtendedEdge {
  return {
    id: endKey(link.to),
    sources: [portId(link.from.node, link.from.port, "output")],
    targets: [portId(link.to.node, link.to.port, "input")],
  };
}

/** Return the links between the nodes that end at existing ports. */
function linksAmong(
  document: PipelineDocument,
  catalog: Catalog,
  wanted: ReadonlySet<string>,
): readonly Link[] {
  const nodes = nodesById(document);
  const has = (node: string, port: string, side: "inputs" | "outputs"): boolean =>
    catalog.byId
      .get(nodes.get(node)?.module ?? "")
      ?.[side].some((candidate) => candidate.id === port) ?? false;
  return document.links.filter(
    ({ from, to }) =>
      wanted.has(from.node) &&
      wanted.has(to.node) &&
      has(from.node, from.port, "outputs") &&
      has(to.node, to.port, "inputs"),
  );
}

function portId(node: string, port: string, side: Side): string {
  return `${node}.${port}.${side}`;
}
