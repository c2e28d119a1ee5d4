/** The document as elements of React Flow, which keep their identity until their content changes. */

import { type Edge, type Node as FlowNode, Position as PortSide } from "@xyflow/react";

import { type Catalog, colourOf, outputOf } from "../graph/catalog";
import {
  type Box,
  NODE_WIDTH,
  PREVIEW_DEPTH,
  boxAround,
  nodeSize,
  portPlaceOn,
} from "../graph/layout/geometry";
import { endKey, findNode } from "../graph/lookup";
import { isBoundary } from "../graph/paths";
import { outputName } from "../graph/portLabels";
import { previewedType } from "../graph/previewedType";
import { titleOf } from "../graph/search";
import { twinNumber } from "../graph/titles";
import type {
  Group,
  Link,
  Note,
  PipelineDocument,
  PipelineNode,
  Position,
  Side,
} from "../graph/types";
import { waypointsOf } from "../graph/waypoints";
import type { Selection } from "../store/types";
import { t } from "../graph/translate";

export type Moved = ReadonlyMap<string, Position>;

export interface Scene {
  readonly document: PipelineDocument;
  readonly catalog: Catalog;
  readonly selection: Selection;
  /** Positions of dragged elements, by their ids in React Flow. */
  readonly moved: Moved;
}

export const noteName = (id: string): string => `note:${id}`;
export const groupName = (id: string): string => `group:${id}`;

/** Parse an id of React Flow into kind and id. */
export function partOf(name: string): { kind: "node" | "note" | "group"; id: string } {
  const [kind, id] = name.split(":", 2);
  if (id !== undefined && (kind === "note" || kind === "group")) return { kind, id };
  return { kind: "node", id: name };
}

const PORT = 12;
const GROUP_EDGE = 22;
const GROUP_HEAD = 34;
/** Additional height below a node with a preview, which the frame would cut otherwise. */
const GROUP_PREVIEW = PREVIEW_DEPTH - GROUP_EDGE / 2;
const COLLAPSED = { width: NODE_WIDTH, height: 64 };
const EMPTY = {};
/** Marker of a node that has previews below it after a run. */
export const PREVIEWED = {};
/** Ports of a sub-pipeline have fixed positions; wires can be drawn to them. */
const UNTOUCHED = { selectable: false, draggable: false, focusable: false };

interface Remembered {
  readonly flow: FlowNode;
  readonly selected: boolean;
  readonly catalog: Catalog;
}

const known = new WeakMap<PipelineNode | Note, Remembered>();

export function flowNodes(scene: Scene): FlowNode[] {
  const { document, selection } = scene;
  const hidden = new Set(document.groups.filter((g) => g.collapsed).flatMap((g) => g.nodes));
  const chosen = new Set(selection.nodes);
  const groups = document.groups.map((group) => groupNode(group, scene));
  const notes = document.notes.map((note) => noteNode(note, scene));
  const nodes = document.nodes
    .filter((node) => !hidden.has(node.id))
    .map((node) => moduleNode(node, scene, chosen.has(node.id)));
  return [...groups, ...notes, ...nodes];
}

function moduleNode(node: PipelineNode, scene: Scene, selected: boolean): FlowNode {
  const place = scene.moved.get(node.id);
  const before = known.get(node);
  const isSame = before?.selected === selected && before.catalog === scene.catalog;
  if (before && isSame && !place) return before.flow;
  const flow = placedNode(node, scene.catalog, place ?? node.position, selected);
  if (!place) known.set(node, { flow, selected, catalog: scene.catalog });
  return flow;
}

function placedNode(
  node: PipelineNode,
  catalog: Catalog,
  position: Position,
  selected: boolean,
): FlowNode {
  const module = catalog.byId.get(node.module);
  const size = nodeSize(node, module);
  const title = titleOf(node, catalog);
  return {
    id: node.id,
    type: isBoundary(node.id) ? "boundary" : "module",
    ...(isBoundary(node.id) && UNTOUCHED),
    position: { x: position.x, y: position.y },
    data: previewedType(node, module) ? PREVIEWED : EMPTY,
    ...size,
    measured: size,
    selected,
    ariaLabel: node.collapsed ? t("{title}, collapsed", { title }) : title,
    handles: SIDES.flatMap((side) =>
      (module?.[`${side}s`] ?? []).map(({ id }, index) =>
        handle(id, side, portPlaceOn(node, module, side, index)),
      ),
    ),
  };
}

const SIDES = ["input", "output"] as const;

function handle(id: string, side: Side, place: Position): NonNullable<FlowNode["handles"]>[number] {
  return {
    id,
    type: side === "input" ? "target" : "source",
    position: side === "input" ? PortSide.Left : PortSide.Right,
    x: place.x - PORT / 2,
    y: place.y - PORT / 2,
    width: PORT,
    height: PORT,
  };
}

function noteNode(note: Note, scene: Scene): FlowNode {
  const selected = scene.selection.notes.includes(note.id);
  const place = scene.moved.get(noteName(note.id));
  const before = known.get(note);
  if (before && !place && before.selected === selected) return before.flow;
  const size = { width: note.width, height: note.height };
  const flow: FlowNode = {
    id: noteName(note.id),
    type: "note",
    position: place ?? { x: note.position.x, y: note.position.y },
    data: EMPTY,
    ...size,
    measured: size,
    selected,
    zIndex: -1,
    ariaLabel: t("Note"),
    handles: [],
  };
  if (!place) known.set(note, { flow, selected, catalog: scene.catalog });
  return flow;
}

function groupNode(group: Group, scene: Scene): FlowNode {
  const box = groupBox(group, scene);
  const size = { width: box.width, height: box.height };
  return {
    id: groupName(group.id),
    type: "group-frame",
    position: { x: box.x, y: box.y },
    data: EMPTY,
    ...size,
    measured: size,
    selected: scene.selection.groups.includes(group.id),
    zIndex: group.collapsed ? 0 : -2,
    ariaLabel: t("Group {title}", { title: group.title }),
    handles: group.collapsed ? [gate("target"), gate("source")] : [],
  };
}

function gate(type: "source" | "target"): NonNullable<FlowNode["handles"]>[number] {
  const side = type === "target" ? PortSide.Left : PortSide.Right;
  const x = type === "target" ? 0 : COLLAPSED.width;
  return { id: type, type, position: side, x, y: COLLAPSED.height / 2, width: 1, height: 1 };
}

/** The frame around a group's nodes, or its small box while it is collapsed. */
function groupBox(group: Group, scene: Scene): Box {
  const boxes = group.nodes.flatMap((id) => {
    const node = findNode(scene.document, id);
    if (!node) return [];
    const place = scene.moved.get(id) ?? node.position;
    const module = scene.catalog.byId.get(node.module);
    const { width, height } = nodeSize(node, module);
    const below = previewedType(node, module) ? GROUP_PREVIEW : 0;
    return [{ ...place, width, height: height + below }];
  });
  const inner = boxAround(boxes) ?? { x: 0, y: 0, ...COLLAPSED };
  if (group.collapsed) return { x: inner.x, y: inner.y, ...COLLAPSED };
  return {
    x: inner.x - GROUP_EDGE,
    y: inner.y - GROUP_HEAD,
    width: inner.width + 2 * GROUP_EDGE,
    height: inner.height + GROUP_HEAD + GROUP_EDGE,
  };
}

const knownLinks = new WeakMap<Link, { edge: Edge; key: string }>();

export function flowEdges(scene: Scene): Edge[] {
  const { document, catalog, selection } = scene;
  const chosen = new Set(selection.links);
  const collapsed = new Map(
    document.groups
      .filter((g) => g.collapsed)
      .flatMap((g) => g.nodes.map((id) => [id, g.id] as const)),
  );
  return document.links.flatMap((link) => {
    const edge = flowEdge(link, scene, chosen.has(endKey(link.to)), collapsed, catalog);
    return edge ? [edge] : [];
  });
}

function flowEdge(
  link: Link,
  scene: Scene,
  selected: boolean,
  collapsed: ReadonlyMap<string, string>,
  catalog: Catalog,
): Edge | undefined {
  const from = collapsed.get(link.from.node);
  const to = collapsed.get(link.to.node);
  if (from !== undefined && from === to) return undefined;
  const { document } = scene;
  const source = findNode(document, link.from.node);
  const target = findNode(document, link.to.node);
  if (!source || !target) return undefined;
  const module = catalog.byId.get(source.module);
  const port = module && outputOf(module, link.from.port);
  const colour = port ? colourOf(catalog, port.type) : "grey";
  const name = port
    ? outputName(source, port, module, twinNumber(document.nodes, source.id, catalog))
    : "";
  const muted = source.disabled || target.disabled;
  const key = [selected, from, to, colour, muted, name].join("|");
  const before = knownLinks.get(link);
  if (before?.key === key) return before.edge;
  const edge: Edge = {
    id: endKey(link.to),
    type: "wire",
    source: from === undefined ? link.from.node : groupName(from),
    sourceHandle: from === undefined ? link.from.port : "source",
    target: to === undefined ? link.to.node : groupName(to),
    targetHandle: to === undefined ? link.to.port : "target",
    selected,
    reconnectable: from === undefined && to === undefined,
    data: {
      colour,
      muted,
      name,
      waypoints: waypointsOf(link),
    },
    ariaLabel: t("Wire from {source} to {target}", {
      source: titleOf(source, catalog),
      target: titleOf(target, catalog),
    }),
  };
  knownLinks.set(link, { edge, key });
  return edge;
}
