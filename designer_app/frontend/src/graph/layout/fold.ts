/** Folding of layers of nodes, which follow each other from left to right, into rows that fit a
 * canvas. */

import { BESIDE, type Box, CANVAS_PADDING, NODE_GAP, READABLE_ZOOM } from "./geometry";
import type { Position, Size } from "../types";

export interface Layer {
  readonly boxes: readonly (Box & { readonly id: string })[];
  /** Number of links from this layer or an earlier one to a later one. */
  readonly crossing: number;
}

/** Gap between two rows, in pixels of the document. */
const ROW_GAP = 44;
const BOX_GAP = 32;
/** Numbers of columns into which the highest layer may be split. */
const PARTS = [1, 2, 3, 4];
/** Additional space for each link that runs from row to row. */
const LANE = 8;
const MOST_LANES = 6;
/** Factor by which a further row must enlarge the nodes: one row is easier to read. */
const WORTH = 0.04;

interface Extent {
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

/** Return the zoom at which this size fits a canvas: 1 at most. */
export function scaleOf({ width, height }: Size, room: Size): number {
  const [across, down] = [room.width - 2 * CANVAS_PADDING.x, room.height - 2 * CANVAS_PADDING.y];
  return Math.min(1, across / (width + 2 * BESIDE), down / height);
}

interface Folded {
  readonly rows: number;
  readonly isReadable: boolean;
  readonly worth: number;
  readonly places: () => ReadonlyMap<string, Position>;
}

/** Return a position for each box: in the fewest rows in which nodes are readable, else in as many
 * as make the nodes largest on the canvas. */
export function fold(layers: readonly Layer[], room: Size): ReadonlyMap<string, Position> {
  const layouts = PARTS.flatMap((parts) => foldings(inColumns(layers, parts), room, parts));
  const best = layouts.reduce<Folded | undefined>(
    (most, folding) => (most && !isBetter(folding, most) ? most : folding),
    undefined,
  );
  return best?.places() ?? new Map<string, Position>();
}

function isBetter(one: Folded, other: Folded): boolean {
  if (one.isReadable !== other.isReadable) return one.isReadable;
  if (one.isReadable && one.rows !== other.rows) return one.rows < other.rows;
  return one.worth > other.worth;
}

function foldings(layers: readonly Layer[], room: Size, parts: number): readonly Folded[] {
  const extents = layers.map(extentOf);
  const widths = new Set(layers.map((_, end) => widthOf(extents, 0, end)));
  return [...widths].flatMap((width) => {
    const ends = rowsWithin(width, layers, extents);
    if (!ends) return [];
    const scale = scaleOf(sizeOf(ends, layers, extents), room);
    const worth = scale - WORTH * (ends.length + parts);
    const isReadable = scale >= READABLE_ZOOM;
    return [
      { rows: ends.length, isReadable, worth, places: () => placesOf(ends, layers, extents) },
    ];
  });
}

/** Split layers that are much higher than others into several columns. */
function inColumns(layers: readonly Layer[], parts: number): readonly Layer[] {
  if (parts === 1) return layers;
  const most = Math.ceil(Math.max(...layers.map(({ boxes }) => boxes.length)) / parts);
  return layers.flatMap((layer) => {
    const count = Math.ceil(layer.boxes.length / most);
    const ordered = [...layer.boxes].sort((one, other) => one.y - other.y);
    const size = Math.ceil(ordered.length / count);
    const top = ordered[0]?.y ?? 0;
    return Array.from({ length: count }, (_, at) => ({
      crossing: layer.crossing,
      boxes: count > 1 ? stacked(ordered.slice(at * size, (at + 1) * size), top) : layer.boxes,
    }));
  });
}

/** Return the boxes stacked without gaps between them. */
function stacked(boxes: Layer["boxes"], top: number): Layer["boxes"] {
  let y = top;
  return boxes.map((box) => {
    const placed = { ...box, y };
    y += box.height + BOX_GAP;
    return placed;
  });
}

/** Return the last layer of each row, so that no row is too wide and the total height is
 * smallest. */
function rowsWithin(
  width: number,
  layers: readonly Layer[],
  extents: readonly Extent[],
): readonly number[] | undefined {
  const lowest: { readonly height: number; readonly ends: readonly number[] }[] = [];
  for (let end = 0; end < layers.length; end += 1) {
    for (let start = end; start >= 0 && widthOf(extents, start, end) <= width; start -= 1) {
      const before = start === 0 ? { height: 0, ends: [] } : lowest[start - 1];
      if (!before) continue;
      const gap = start === 0 ? 0 : gapAfter(layers[start - 1]);
      const height = before.height + gap + heightOf(extents, start, end);
      if (height < (lowest[end]?.height ?? Infinity)) {
        lowest[end] = { height, ends: [...before.ends, end] };
      }
    }
    if (!lowest[end]) return undefined;
  }
  return lowest.at(-1)?.ends;
}

function placesOf(
  ends: readonly number[],
  layers: readonly Layer[],
  extents: readonly Extent[],
): ReadonlyMap<string, Position> {
  const places = new Map<string, Position>();
  let [start, y] = [0, 0];
  for (const end of ends) {
    const top = Math.min(...extents.slice(start, end + 1).map((extent) => extent.top));
    let x = 0;
    for (let at = start; at <= end; at += 1) {
      for (const box of layers[at]?.boxes ?? []) places.set(box.id, { x, y: box.y - top + y });
      x += (extents[at]?.width ?? 0) + NODE_GAP;
    }
    y += heightOf(extents, start, end) + gapAfter(layers[end]);
    start = end + 1;
  }
  return places;
}

function sizeOf(
  ends: readonly number[],
  layers: readonly Layer[],
  extents: readonly Extent[],
): Size {
  let [start, width, height] = [0, 0, 0];
  for (const end of ends) {
    width = Math.max(width, widthOf(extents, start, end));
    height += heightOf(extents, start, end) + (start === 0 ? 0 : gapAfter(layers[start - 1]));
    start = end + 1;
  }
  return { width, height };
}

function extentOf({ boxes }: Layer): Extent {
  const top = Math.min(...boxes.map((box) => box.y));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { width: Math.max(...boxes.map((box) => box.width)), top, height: bottom - top };
}

function widthOf(extents: readonly Extent[], start: number, end: number): number {
  const widths = extents.slice(start, end + 1).map(({ width }) => width);
  return widths.reduce((sum, width) => sum + width, 0) + NODE_GAP * (end - start);
}

function heightOf(extents: readonly Extent[], start: number, end: number): number {
  const row = extents.slice(start, end + 1);
  const top = Math.min(...row.map((extent) => extent.top));
  return Math.max(...row.map((extent) => extent.top + extent.height)) - top;
}

function gapAfter(layer: Layer | undefined): number {
  return ROW_GAP + LANE * Math.min(MOST_LANES, layer?.crossing ?? 0);
}
