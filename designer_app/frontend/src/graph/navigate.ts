/** Neighbor of a node in a direction, for the arrow keys. */

import { type Sizes, USUAL_SIZE } from "./layout/boxes";
import { findNode, linksFrom, linksInto, nodesById } from "./lookup";
import { columns } from "./traversal";
import type { PipelineDocument, PipelineNode } from "./types";

export type Direction = "left" | "right" | "up" | "down";

/** Weight of the distance across relative to that in the direction. */
const SIDEWAYS = 2;

/**
 * Return the neighbor: left and right follow the wires, otherwise the nearest node in that
 * direction; undefined without one.
 */
export function neighbour(
  document: PipelineDocument,
  from: string,
  direction: Direction,
  sizes: Sizes,
): string | undefined {
  const start = findNode(document, from);
  if (!start) return undefined;
  const linked = nextAlong(document, from, direction);
  if (linked.length) return nearest(linked, (node) => distance(start, node, sizes));
  return nearest(nodesById(document).values(), (node) => way(start, node, direction, sizes));
}

/** Return the linked node with fewest others between; none for up and down. */
function nextAlong(
  document: PipelineDocument,
  from: string,
  direction: Direction,
): readonly PipelineNode[] {
  if (direction === "up" || direction === "down") return [];
  const forward = direction === "right";
  const linked = new Set(
    forward
      ? linksFrom(document, from).map((link) => link.to.node)
      : linksInto(document, from).map((link) => link.from.node),
  );
  const order = forward ? columns(document) : [...columns(document)].reverse();
  const ids = order.find((column) => column.some((id) => linked.has(id))) ?? [];
  return ids.filter((id) => linked.has(id)).flatMap((id) => findNode(document, id) ?? []);
}

function nearest(
  nodes: Iterable<PipelineNode>,
  costOf: (node: PipelineNode) => number | undefined,
): string | undefined {
  let best: { id: string; cost: number } | undefined;
  for (const node of nodes) {
    const cost = costOf(node);
    if (cost !== undefined && (!best || cost < best.cost)) best = { id: node.id, cost };
  }
  return best?.id;
}

/** Return the first node of the keyboard navigation: the first one without linked inputs. */
export function firstNode(document: PipelineDocument): string | undefined {
  return columns(document)[0]?.[0];
}

function way(
  from: PipelineNode,
  to: PipelineNode,
  direction: Direction,
  sizes: Sizes,
): number | undefined {
  const [a, b] = [centre(from, sizes), centre(to, sizes)];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const across = direction === "left" || direction === "right";
  const ahead = across ? dx : dy;
  const forward = direction === "right" || direction === "down" ? ahead : -ahead;
  if (forward <= 0) return undefined;
  return forward + SIDEWAYS * Math.abs(across ? dy : dx);
}

function distance(from: PipelineNode, to: PipelineNode, sizes: Sizes): number {
  const [a, b] = [centre(from, sizes), centre(to, sizes)];
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function centre(node: PipelineNode, sizes: Sizes): { x: number; y: number } {
  const { width, height } = sizes.get(node.id) ?? USUAL_SIZE;
  return { x: node.position.x + width / 2, y: node.position.y + height / 2 };
}
