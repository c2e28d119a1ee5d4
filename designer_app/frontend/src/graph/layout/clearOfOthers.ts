/** Position of a node that replaces others: near one of them, not on a node that remains. */

import type { Catalog } from "../catalog";
import { moveNodes } from "../edits";
import type { PipelineDocument, Position } from "../types";
import { type Box, nodeSize } from "./geometry";

/** Move the newest node to the first of these positions at which it covers no node; else leave
 * it. */
export function clearOfOthers(
  document: PipelineDocument,
  catalog: Catalog,
  places: readonly Position[],
): PipelineDocument {
  const node = document.nodes.at(-1);
  if (!node) return document;
  const others = document.nodes
    .filter((other) => other !== node)
    .map((other) => ({ ...other.position, ...nodeSize(other, catalog.byId.get(other.module)) }));
  const size = nodeSize(node, catalog.byId.get(node.module));
  const free = [node.position, ...places].find(
    (place) => !others.some((other) => isOver({ ...place, ...size }, other)),
  );
  return free ? moveNodes(document, new Map([[node.id, free]])) : document;
}

function isOver(one: Box, other: Box): boolean {
  const beside = one.x >= other.x + other.width || other.x >= one.x + one.width;
  const below = one.y >= other.y + other.height || other.y >= one.y + one.height;
  return !beside && !below;
}
