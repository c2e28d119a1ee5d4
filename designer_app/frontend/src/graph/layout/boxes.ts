/** Positions and sizes of nodes. */

import type { PipelineDocument, PipelineNode, Position, Size } from "../types";
import { NODE_WIDTH } from "./geometry";

export type Sizes = ReadonlyMap<string, Size>;

/** Size assumed for nodes that the canvas has not drawn yet. */
export const USUAL_SIZE: Size = { width: NODE_WIDTH, height: 104 };

export interface Box {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Return the smallest rectangle around nodes; undefined for none. */
export function boundsOf(
  nodes: readonly PipelineNode[],
  sizes: Sizes,
): Omit<Box, "id"> | undefined {
  if (nodes.length === 0) return undefined;
  const boxes = nodes.map((node) => boxOf(node, sizes));
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
  return { x, y, width, height };
}

/** Return a free position near the wanted one: not on top of another node. */
export function freePlace(document: PipelineDocument, wanted: Position, step = 24): Position {
  let place = wanted;
  const taken = (at: Position): boolean =>
    document.nodes.some(
      (node) => Math.abs(node.position.x - at.x) < step && Math.abs(node.position.y - at.y) < step,
    );
  while (taken(place)) place = { x: place.x + step, y: place.y + step };
  return place;
}

export function boxOf(node: PipelineNode, sizes: Sizes): Box {
  const size = sizes.get(node.id) ?? USUAL_SIZE;
  return { id: node.id, ...node.position, width: size.width, height: size.height };
}
