/** How much room there is below a node until the next one. */

import type { Catalog } from "../catalog";
import { findNode } from "../lookup";
import type { PipelineDocument } from "../types";
import { nodeSize } from "./geometry";

/** In pixels of the document; Infinity where nothing stands below. */
export function roomBelow(document: PipelineDocument, catalog: Catalog, id: string): number {
  const node = findNode(document, id);
  if (!node) return 0;
  const { width, height } = nodeSize(node, catalog.byId.get(node.module));
  const { x: left, y: top } = node.position;
  const bottom = top + height;
  const tops = document.nodes.flatMap((other) => {
    const { x, y } = other.position;
    const isBelow = other !== node && y >= top && x < left + width && x + width > left;
    return isBelow ? [y] : [];
  });
  return Math.min(Infinity, ...tops) - bottom;
}
