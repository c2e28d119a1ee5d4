/** Paths of wires that would cross nodes as a plain curve, or that lead back. */

import { type Box, LOOP } from "./geometry";
import { withPreview } from "./previewRoom";
import { portalBoxes } from "./portals";
import type { LinkedWire, Wire } from "./routeGrid";
import { routes } from "./route";
import type { Position } from "../types";

const RADIUS = 12;
/** Number of checked points of a curve, and their distance to nodes: ports extend beyond nodes. */
const SAMPLES = 32;
const CLEAR = { x: 11, y: 5 };

/**
 * Return the path of each wire that needs more than a curve; `nodes` by id, `previewed` those with
 * previews below them after a run, `labels` of wires drawn as two portals.
 */
export function wirePaths(
  nodes: ReadonlyMap<string, Box>,
  wires: readonly LinkedWire[],
  previewed: ReadonlySet<string> = new Set(),
  labels: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const all = [...nodes.values()];
  const boxes = new Map(
    [...nodes].map(([id, box]) => [id, previewed.has(id) ? withPreview(box, all) : box]),
  );
  const portals = portalBoxes(wires, labels);
  const wanted = wires.filter((wire) => leadsBack(wire) || isCovered(wire, boxes));
  const clear = waysOffPortals([...boxes.values()], portals, wires, wanted, labels);
  const rest = wanted.filter(({ id }) => !clear.has(id));
  const ways = rest.length ? [...clear, ...routes([...boxes.values()], rest)] : [...clear];
  return new Map(ways.map(([id, way]) => [id, roundedPath(way)]));
}

/** Route visible wires around nodes and portals, if there is space. */
function waysOffPortals(
  boxes: readonly Box[],
  portals: readonly Box[],
  wires: readonly LinkedWire[],
  wanted: readonly LinkedWire[],
  labels: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly Position[]> {
  const seen = wires.filter(
    (wire) => !labels.has(wire.id) && (wanted.includes(wire) || meets(wire, portals)),
  );
  if (portals.length === 0 || seen.length === 0) return new Map();
  return routes([...boxes, ...portals], seen);
}

function leadsBack({ from, to }: Wire): boolean {
  return to.x < from.x + LOOP;
}

function isCovered(wire: LinkedWire, boxes: ReadonlyMap<string, Box>): boolean {
  const others = [...boxes].filter(([id]) => id !== wire.source && id !== wire.target);
  const points = curvePoints(wire);
  return others.some(([, box]) => points.some((point) => isOn(point, box)));
}

function meets(wire: LinkedWire, portals: readonly Box[]): boolean {
  const points = curvePoints(wire);
  return portals.some((box) => points.some((point) => isIn(point, box)));
}

/** Points of the curve drawn by React Flow, whose handles are half as long as it is wide. */
function curvePoints({ from, to }: Wire): readonly Position[] {
  const reach = (to.x - from.x) / 2;
  return Array.from({ length: SAMPLES - 1 }, (_, at) => {
    const t = (at + 1) / SAMPLES;
    const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3] as const;
    const x =
      weights[0] * from.x +
      weights[1] * (from.x + reach) +
      weights[2] * (to.x - reach) +
      weights[3] * to.x;
    return { x, y: (weights[0] + weights[1]) * from.y + (weights[2] + weights[3]) * to.y };
  });
}

function isOn({ x, y }: Position, box: Box): boolean {
  return (
    x > box.x - CLEAR.x &&
    x < box.x + box.width + CLEAR.x &&
    y > box.y - CLEAR.y &&
    y < box.y + box.height + CLEAR.y
  );
}

function isIn({ x, y }: Position, box: Box): boolean {
  return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

/** Return SVG path data of straight lines with rounded corners, as far as the lines are long
 * enough. */
export function roundedPath(way: readonly Position[]): string {
  const [first, ...rest] = way;
  if (!first) return "";
  const parts = rest.map((corner, at) => {
    const [before, after] = [way[at], rest[at + 1]];
    if (!before || !after) return `L${pair(corner)}`;
    const radius = Math.min(RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
    const [start, end] = [towards(corner, before, radius), towards(corner, after, radius)];
    return `L${pair(start)}Q${pair(corner)} ${pair(end)}`;
  });
  return `M${pair(first)}${parts.join("")}`;
}

function distance(one: Position, other: Position): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function towards(from: Position, to: Position, length: number): Position {
  const part = length / (distance(from, to) || 1);
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function pair({ x, y }: Position): string {
  return `${String(Math.round(x * 10) / 10)} ${String(Math.round(y * 10) / 10)}`;
}
