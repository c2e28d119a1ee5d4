/** Routes of wires around nodes, along lines next to the nodes, with as few corners as possible. */

import { type Crossing, type Grid, type Wire, grid } from "./routeGrid";
import type { Box } from "./geometry";
import type { Position } from "../types";

/** Cost of a corner, in pixels of the route. */
const CORNER = 60;
/** Cost of a pixel on which a wire of the same output already runs: they share the line. */
const SHARED = 0.25;
/** Distance between parallel wires, in pixels of the document. */
const LANE = 7;
const LANES = [0, 1, -1, 2, -2] as const;

type Way = readonly Position[];

/** The corners of each wire's way, with both ends; a wire that finds none is missing. */
export function routes(boxes: readonly Box[], wires: readonly Wire[]): ReadonlyMap<string, Way> {
  const lines = grid(boxes, wires);
  const taken = new Taken();
  const ways = new Map<string, Way>();
  const passed = new Map<string, Set<string>>();
  for (const wire of byReach(wires)) {
    const before = passed.get(wire.net) ?? new Set();
    const last = shortest(lines, wire, before);
    if (!last) continue;
    passed.set(wire.net, new Set([...before, ...stretchesTo(last)]));
    const way = [wire.from, ...cornersOf(last, lines), wire.to];
    ways.set(wire.id, taken.beside(way, wire.net));
  }
  return ways;
}

/** Those of one output together and the farthest first, so that the others have a line to follow. */
function byReach(wires: readonly Wire[]): readonly Wire[] {
  const reach = ({ from, to }: Wire): number => Math.abs(from.x - to.x) + Math.abs(from.y - to.y);
  const nets = [...new Set(wires.map(({ net }) => net))];
  return nets.flatMap((net) =>
    wires.filter((wire) => wire.net === net).sort((one, other) => reach(other) - reach(one)),
  );
}

interface Step {
  readonly column: number;
  readonly row: number;
  readonly along: "row" | "column";
  readonly cost: number;
  readonly before: Step | undefined;
}

/** Dijkstra's algorithm on the lines: a place counts once for each direction it is passed in. */
function shortest(lines: Grid, { from, to }: Wire, own: ReadonlySet<string>): Step | undefined {
  const start = lines.after(from);
  const goal = lines.before(to);
  const best = new Map<string, number>();
  const open = new Queue();
  open.add({ ...start, along: "row", cost: 0, before: undefined });
  for (let step = open.next(); step; step = open.next()) {
    if (step.column === goal.column && step.row === goal.row && step.along === "row") return step;
    const key = `${String(step.column)},${String(step.row)},${step.along}`;
    if ((best.get(key) ?? Infinity) <= step.cost) continue;
    best.set(key, step.cost);
    for (const next of stepsFrom(step, lines, own)) open.add(next);
  }
  return undefined;
}

function stepsFrom(step: Step, lines: Grid, own: ReadonlySet<string>): readonly Step[] {
  const turned: Step = {
    ...step,
    along: step.along === "row" ? "column" : "row",
    cost: step.cost + CORNER,
    before: step,
  };
  const ahead = ([-1, 1] as const).flatMap((way): readonly Step[] => {
    const column = step.along === "row" ? step.column + way : step.column;
    const row = step.along === "column" ? step.row + way : step.row;
    const length = lines.free(step, { column, row });
    if (length === undefined) return [];
    const cost = step.cost + length * (own.has(stretch(step, { column, row })) ? SHARED : 1);
    return [{ column, row, along: step.along, cost, before: step }];
  });
  return [turned, ...ahead];
}

/** The name of the part of a line between two neighbours. */
function stretch(one: Crossing, other: Crossing): string {
  const [from, to] = one.column + one.row < other.column + other.row ? [one, other] : [other, one];
  return `${String(from.column)},${String(from.row)}-${String(to.column)},${String(to.row)}`;
}

function stretchesTo(last: Step): readonly string[] {
  const passed: string[] = [];
  for (let step: Step | undefined = last; step?.before; step = step.before) {
    passed.push(stretch(step.before, step));
  }
  return passed;
}

/** Corners of the route. */
function cornersOf(last: Step, lines: Grid): Way {
  const corners: Position[] = [];
  for (let step: Step | undefined = last; step; step = step.before) {
    const turns = step.before !== undefined && step.before.along !== step.along;
    if (turns) corners.unshift(lines.place(step));
  }
  return corners;
}

/** Steps by their cost: a binary heap. */
class Queue {
  private readonly heap: Step[] = [];

  add(step: Step): void {
    const { heap } = this;
    let at = heap.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (costAt(heap, parent) <= step.cost) break;
      heap[at] = heap[parent] ?? step;
      at = parent;
    }
    heap[at] = step;
  }

  next(): Step | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = costAt(heap, left + 1) < costAt(heap, left) ? left + 1 : left;
      if (costAt(heap, child) >= last.cost) break;
      heap[at] = heap[child] ?? last;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function costAt(heap: readonly Step[], at: number): number {
  return heap[at]?.cost ?? Infinity;
}

interface Run {
  readonly across: "x" | "y";
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly net: string;
  /** The line that it was to take, before others made way for it. */
  readonly line: number;
}

/** Occupied parts of the lines, so that the next wire runs next to them. */
class Taken {
  private readonly runs: Run[] = [];

  /** The same way, its inner parts moved off those of other nets. */
  beside(way: Way, net: string): Way {
    const moved = way.map((corner) => ({ ...corner }));
    for (let at = 1; at + 2 < moved.length; at += 1) {
      const [one, other] = [moved[at], moved[at + 1]];
      if (!one || !other) continue;
      const across = one.x === other.x ? "x" : "y";
      const run = this.free(runOf(one, other, across, net));
      one[across] = run.at;
      other[across] = run.at;
      this.runs.push(run);
    }
    return moved;
  }

  private free(run: Run): Run {
    const shared = this.runs.find((other) => sharesLine(run, other));
    if (shared) return { ...run, at: shared.at };
    const lanes = LANES.map((lane) => ({ ...run, at: run.at + lane * LANE }));
    return lanes.find((lane) => !this.runs.some((other) => collide(lane, other))) ?? run;
  }
}

function runOf(one: Position, other: Position, across: "x" | "y", net: string): Run {
  const along = across === "x" ? "y" : "x";
  const [from, to] = [Math.min(one[along], other[along]), Math.max(one[along], other[along])];
  return { across, at: one[across], from, to, net, line: one[across] };
}

function collide(one: Run, other: Run): boolean {
  return (
    one.across === other.across &&
    one.net !== other.net &&
    Math.abs(one.at - other.at) < LANE - 1 &&
    one.from < other.to + LANE &&
    other.from < one.to + LANE
  );
}

/** True if both belong to one output and run along the same line, before any shift. */
function sharesLine(one: Run, other: Run): boolean {
  return (
    one.across === other.across &&
    one.net === other.net &&
    one.line === other.line &&
    one.from <= other.to &&
    other.from <= one.to
  );
}
