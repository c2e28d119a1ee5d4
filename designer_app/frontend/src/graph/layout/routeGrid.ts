/** Grid of lines on which wires may run: next to and between nodes, and straight out of their
 * ports. */

import type { Box } from "./geometry";
import type { Position } from "../types";

export interface Wire {
  readonly id: string;
  /** Wires of one output share their route. */
  readonly net: string;
  readonly from: Position;
  readonly to: Position;
}

export interface LinkedWire extends Wire {
  /** Ids of the nodes at its ends. */
  readonly source: string;
  readonly target: string;
}

/** Distance from a node at which a wire turns, in pixels of the document. */
export const STUB = 18;
/** Clearance around a node; smaller than the margin, so that the lines themselves are free. */
const CLEAR = 10;

/** A crossing of two lines, by their numbers. */
export interface Crossing {
  readonly column: number;
  readonly row: number;
}

export interface Grid {
  /** Crossing at which a wire has left its output. */
  readonly after: (from: Position) => Crossing;
  /** Crossing at which a wire is about to reach its input. */
  readonly before: (to: Position) => Crossing;
  readonly place: (crossing: Crossing) => Position;
  readonly number: (crossing: Crossing) => number;
  /** Length of the segment between neighbors on a line; undefined if a node is between them. */
  readonly free: (from: Crossing, to: Crossing) => number | undefined;
}

export function grid(boxes: readonly Box[], wires: readonly Wire[]): Grid {
  const xs = sorted([
    ...boxes.flatMap((box) => [box.x - STUB, box.x + box.width + STUB]),
    ...wires.flatMap(({ from, to }) => [from.x + STUB, to.x - STUB]),
  ]);
  const ys = sorted([
    ...boxes.flatMap((box) => [box.y - STUB, box.y + box.height + STUB]),
    ...wires.flatMap(({ from, to }) => [from.y, to.y]),
  ]);
  const columns = numbered(xs);
  const rows = numbered(ys);
  const taken = takenBy(boxes, xs, ys);
  const at = (x: number, y: number): Crossing => ({
    column: columns.get(x) ?? 0,
    row: rows.get(y) ?? 0,
  });
  const key = ({ column, row }: Crossing): number => row * xs.length + column;
  return {
    after: ({ x, y }) => at(x + STUB, y),
    before: ({ x, y }) => at(x - STUB, y),
    number: key,
    place: ({ column, row }) => ({ x: xs[column] ?? 0, y: ys[row] ?? 0 }),
    free: (from, to) => {
      const [x, y] = [xs[to.column], ys[to.row]];
      if (x === undefined || y === undefined) return undefined;
      const isRow = from.row === to.row;
      const lesser = isRow ? from.column < to.column : from.row < to.row;
      if ((isRow ? taken.rows : taken.columns).has(key(lesser ? from : to))) return undefined;
      return Math.abs(x - (xs[from.column] ?? x)) + Math.abs(y - (ys[from.row] ?? y));
    },
  };
}

interface TakenParts {
  /** Segments of rows, by the crossing at their left. */
  readonly rows: ReadonlySet<number>;
  /** Segments of columns, by the crossing above. */
  readonly columns: ReadonlySet<number>;
}

function takenBy(boxes: readonly Box[], xs: readonly number[], ys: readonly number[]): TakenParts {
  const rows = new Set<number>();
  const columns = new Set<number>();
  for (const box of boxes) {
    const across = partsIn(xs, box.x - CLEAR, box.x + box.width + CLEAR);
    const down = partsIn(ys, box.y - CLEAR, box.y + box.height + CLEAR);
    for (const row of down.lines)
      for (const column of across.parts) rows.add(row * xs.length + column);
    for (const column of across.lines)
      for (const row of down.parts) columns.add(row * xs.length + column);
  }
  return { rows, columns };
}

/** Return the lines inside an interval, and the segments between neighbors that reach into it. */
function partsIn(
  lines: readonly number[],
  from: number,
  to: number,
): { readonly lines: readonly number[]; readonly parts: readonly number[] } {
  const all = lines.map((_, at) => at);
  return {
    lines: all.filter((at) => isBetween(lines[at], from, to)),
    parts: all.filter((at) => (lines[at] ?? to) < to && (lines[at + 1] ?? from) > from),
  };
}

function isBetween(value: number | undefined, from: number, to: number): boolean {
  return value !== undefined && value > from && value < to;
}

function sorted(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}

function numbered(values: readonly number[]): ReadonlyMap<number, number> {
  return new Map(values.map((value, at) => [value, at]));
}
