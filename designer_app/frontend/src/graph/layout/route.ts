/** Routes of wires around nodes, along lines next to the nodes, with as few corners as possible. */

import { type Crossing, type Grid, type Wire, grid } from "./routeGrid";
import type { Box } from "./geometry";
import type { Position } from "../types";

/** Cost of a corner, in pixels of the route. */
const CORNER = 60;
/** Cost of a pixel on which a wire of the same output already runs: they share the line. */
const SHARED = 0.25;
/** Extra cost of a vertical pixel for each pixel behind the output: of equal routes, turn early. */
const LATE = 1e-6;
/** Distance between parallel wires, in pixels of the document. */
const LANE = 7;
const LANES = [0, 1, -1, 2, -2] as const;

type Way = readonly Position[];

/** Return the corners of each wire's route, with both ends; a wire without a route is missing. */
export function routes(boxes: readonly Box[], wires: readonly Wire[]): ReadonlyMap<string, Way> {
  const lines = grid(boxes, wires);
  const taken = new Taken();
  const ways = new Map<string, Way>();
  const passed = new Map<string, Set<number>>();
  for (const wire of byReach(wires)) {
    const before = passed.get(wire.net) ?? new Set();
    const last = shortest(lines, wire, before);
    if (!last) continue;
    passed.set(wire.net, new Set([...before, ...stretchesTo(last, lines)]));
    const way = [wire.from, ...cornersOf(last, lines), wire.to];
    ways.set(wire.id, taken.beside(way, wire.net));
  }
  return ways;
}

/** Order wires by output, the longest first, so that the others can share its line. */
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
  /** Cost so far plus the least possible rest: steps are taken in this order. */
  readonly estimate: number;
  readonly before: Step | undefined;
}

/** A* on the grid: a crossing counts once for each direction in which it is passed. */
function shortest(lines: Grid, { from, to }: Wire, own: ReadonlySet<number>): Step | undefined {
  const goal = lines.before(to);
  const end = lines.place(goal);
  const leastPerPixel = own.size > 0 ? SHARED : 1;
  const best = new Map<number, number>();
  const open = new Queue();
  const offer = (step: Omit<Step, "estimate">): void => {
    const key = stepKey(step, lines);
    if ((best.get(key) ?? Infinity) <= step.cost) return;
    best.set(key, step.cost);
    const place = lines.place(step);
    const rest = Math.abs(place.x - end.x) + Math.abs(place.y - end.y);
    open.add({ ...step, estimate: step.cost + rest * leastPerPixel });
  };
  offer({ ...lines.after(from), along: "row", cost: 0, before: undefined });
  for (let step = open.next(); step; step = open.next()) {
    if (step.column === goal.column && step.row === goal.row && step.along === "row") return step;
    if ((best.get(stepKey(step, lines)) ?? 0) < step.cost) continue; // outdated
    const turned = step.along === "row" ? "column" : "row";
    offer({ ...step, along: turned, cost: step.cost + CORNER, before: step });
    for (const way of [1, -1]) {
      const next =
        step.along === "row"
          ? { column: step.column + way, row: step.row }
          : { column: step.column, row: step.row + way };
      const length = lines.free(step, next);
      if (length === undefined) continue;
      const late = step.along === "column" ? LATE * Math.abs(lines.place(step).x - from.x) : 0;
      const cost = length * ((own.has(stretch(step, next, lines)) ? SHARED : 1) + late);
      offer({ ...next, along: step.along, cost: step.cost + cost, before: step });
    }
  }
  return undefined;
}

function stepKey(step: Pick<Step, "column" | "row" | "along">, lines: Grid): number {
  return 2 * lines.number(step) + (step.along === "row" ? 0 : 1);
}

/** Number of the segment of a line between two neighbors. */
function stretch(one: Crossing, other: Crossing, lines: Grid): number {
  const first = one.column + one.row < other.column + other.row ? one : other;
  return 2 * lines.number(first) + (one.row === other.row ? 0 : 1);
}

function stretchesTo(last: Step, lines: Grid): readonly number[] {
  const passed: number[] = [];
  for (let step: Step | undefined = last; step?.before; step = step.before) {
    const isTurn = step.before.along !== step.along;
    if (!isTurn) passed.push(stretch(step.before, step, lines));
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

/** Steps ordered by their estimate: a binary heap. */
class Queue {
  private readonly heap: Step[] = [];

  add(step: Step): void {
    const { heap } = this;
    let at = heap.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (estimateAt(heap, parent) <= step.estimate) break;
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
      const child = estimateAt(heap, left + 1) < estimateAt(heap, left) ? left + 1 : left;
      if (estimateAt(heap, child) >= last.estimate) break;
      heap[at] = heap[child] ?? last;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function estimateAt(heap: readonly Step[], at: number): number {
  return heap[at]?.estimate ?? Infinity;
}

interface Run {
  readonly across: "x" | "y";
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly net: string;
  /** Line of the route before it was shifted for other wires. */
  readonly line: number;
}

/** Occupied segments of the lines, so that the next wire runs next to them. */
class Taken {
  private readonly runs: Run[] = [];

  /** Shift the inner segments of a route away from those of other outputs. */
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

/** Return true if both belong to one output and run along the same line, before any shift. */
function sharesLine(one: Run, other: Run): boolean {
  return (
    one.across === other.across &&
    one.net === other.net &&
    one.line === other.line &&
    one.from <= other.to &&
    other.from <= one.to
  );
}
