/** Space for previews below nodes, and its remainder where it is narrow. */

import { type Box, NODE_WIDTH, PREVIEW_DEPTH } from "./geometry";

const ABOVE = 8;
const SMALLEST = 26;
const LARGEST = PREVIEW_DEPTH - ABOVE;
/** Height by which the next node's status pill extends above it, and its maximum width. */
const PILL = { height: 14, width: 68 };
/** Distance of a wire below a preview from the preview and from the next node. */
const LANE = 28;
/** Additional gap between nodes that gives previews their full size. */
export const PREVIEW_ROOM = 36;
/** Gap between a preview and a wire. */
const APART = 5;

export interface PreviewSize {
  readonly edge: number;
  readonly width: number;
}

/** Return the size of the previews; undefined without space `above` nodes and wires. */
export function previewSize(above: number, aboveWires: number): PreviewSize | undefined {
  const room = Math.min(above, aboveWires - APART) - ABOVE;
  const free = Math.min(room, above - ABOVE - PILL.height);
  if (free >= SMALLEST) return { edge: Math.min(LARGEST, free), width: NODE_WIDTH };
  const edge = Math.min(SMALLEST, room); // next to the status pill
  return edge < SMALLEST ? undefined : { edge, width: NODE_WIDTH - PILL.width };
}

/** Return the box of a node with its preview, which wires avoid if both fit above the next node. */
export function withPreview(box: Box, others: readonly Box[]): Box {
  const bottom = box.y + box.height;
  const isNear = others.some(
    (other) =>
      other !== box &&
      other.y >= box.y &&
      other.y < bottom + PREVIEW_DEPTH + LANE &&
      other.x < box.x + box.width &&
      other.x + other.width > box.x,
  );
  return isNear ? box : { ...box, height: box.height + PREVIEW_DEPTH };
}
