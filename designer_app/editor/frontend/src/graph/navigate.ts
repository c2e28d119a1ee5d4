/** The node that lies in a direction of another: moving about by the arrow keys. */

import { type Sizes, USUAL_SIZE } from "./layout/boxes";
import { findNode, linksFrom, linksInto, nodesById } from "./lookup";
import { columns } from "./traversal";
import type { PipelineDocument, PipelineNode } from "./types";

export type Direction = "left" | "right" | "up" | "down";

/** How much nearer a linked node counts than one that only lies there. */
const LINKED = 0.25;
/** How much more it counts to be out of line than to be far. */
const SIDEWAYS = 2;

/** The nearest node in a direction, linked ones first; undefined where there is none. */
export function neighbour(
  document: PipelineDocument,
  from: string,
  direction: Direction,
  sizes: Sizes,
): string | undefined {
  const start = findNode(document, from);
  if (!start) return undefined;
  const linked = new Set([
    ...(direction === "right" ? linksFrom(document, from).map((link) => link.to.node) : []),
    ...(direction === "left" ? linksInto(document, from).map((link) => link.from.node) : []),
  ]);
  let best: { id: string; cost: number } | undefined;
  for (const node of nodesById(document).values()) {
    const cost = way(start, node, direction, sizes);
    if (node.id === from || cost === undefined) continue;
    const counted = linked.has(node.id) ? cost * LINKED : cost;
    if (!best || counted < best.cost) best = { id: node.id, cost: counted };
  }
  return best?.id;
}

/** Where to begin: the first node that needs no other. */
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

function centre(node: PipelineNode, sizes: Sizes): { x: number; y: number } {
  const { width, height } = sizes.get(node.id) ?? USUAL_SIZE;
  return { x: node.position.x + width / 2, y: node.position.y + height / 2 };
}
