/** Tidy up: ELK's layered layout, left to right. ELK is large and is loaded when first needed. */

import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api";

import { type Places, type Sizes, USUAL_SIZE } from "./align";
import type { Catalog } from "../catalog";
import { endKey, nodesById } from "../lookup";
import type { PipelineDocument, PipelineNode, PortSpec } from "../types";

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "RIGHT",
  "elk.layered.spacing.nodeNodeBetweenLayers": "72",
  "elk.spacing.nodeNode": "40",
  "elk.spacing.componentComponent": "64",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.randomSeed": "1",
};

/** A place for each of the nodes (all of them by default); the group keeps its upper left corner. */
export async function tidy(
  document: PipelineDocument,
  catalog: Catalog,
  sizes: Sizes,
  ids: readonly string[] = [...nodesById(document).keys()],
): Promise<Places> {
  const wanted = new Set(ids);
  const nodes = [...nodesById(document).values()].filter((node) => wanted.has(node.id));
  if (nodes.length === 0) return new Map();
  const { default: Elk } = await import("elkjs/lib/elk.bundled.js");
  const laidOut = await new Elk().layout({
    id: "pipeline",
    layoutOptions: OPTIONS,
    children: nodes.map((node) => box(node, catalog, sizes)),
    edges: edgesAmong(document, catalog, wanted),
  });
  const left = Math.min(...nodes.map((node) => node.position.x));
  const top = Math.min(...nodes.map((node) => node.position.y));
  return places(laidOut.children ?? [], left, top);
}

function places(children: readonly ElkNode[], left: number, top: number): Places {
  const dx = left - Math.min(...children.map((child) => child.x ?? 0));
  const dy = top - Math.min(...children.map((child) => child.y ?? 0));
  return new Map(
    children.map((child) => [
      child.id,
      { x: onGrid((child.x ?? 0) + dx), y: onGrid((child.y ?? 0) + dy) },
    ]),
  );
}

function box(node: PipelineNode, catalog: Catalog, sizes: Sizes): ElkNode {
  const module = catalog.byId.get(node.module);
  const size = sizes.get(node.id) ?? USUAL_SIZE;
  const inputs = (module?.inputs ?? []).map((port) => elkPort(node, port, "WEST"));
  const outputs = (module?.outputs ?? []).map((port) => elkPort(node, port, "EAST"));
  // the fixed order runs clockwise from the upper left, so the left side goes upwards
  return {
    id: node.id,
    ...size,
    ports: [...outputs, ...inputs.reverse()],
    layoutOptions: { "elk.portConstraints": "FIXED_ORDER" },
  };
}

function elkPort(
  node: PipelineNode,
  port: PortSpec,
  side: "WEST" | "EAST",
): NonNullable<ElkNode["ports"]>[number] {
  return {
    id: portId(node.id, port.id, side),
    width: 1,
    height: 1,
    layoutOptions: { "elk.port.side": side },
  };
}

function edgesAmong(
  document: PipelineDocument,
  catalog: Catalog,
  wanted: ReadonlySet<string>,
): ElkExtendedEdge[] {
  const nodes = nodesById(document);
  const has = (node: string, port: string, side: "inputs" | "outputs"): boolean =>
    catalog.byId.get(nodes.get(node)?.module ?? "")?.[side].some((each) => each.id === port) ??
    false;
  return document.links
    .filter((link) => wanted.has(link.from.node) && wanted.has(link.to.node))
    .filter(
      (link) =>
        has(link.from.node, link.from.port, "outputs") && has(link.to.node, link.to.port, "inputs"),
    )
    .map((link) => ({
      id: endKey(link.to),
      sources: [portId(link.from.node, link.from.port, "EAST")],
      targets: [portId(link.to.node, link.to.port, "WEST")],
    }));
}

function portId(node: string, port: string, side: string): string {
  return `${node}.${port}.${side}`;
}

function onGrid(value: number): number {
  return Math.round(value / 4) * 4;
}
