/** Waypoints of a wire, added and moved by hand. */

import type { Catalog } from "./catalog";
import { portPlaceOn } from "./layout/geometry";
import { findNode, linkAt } from "./lookup";
import type { Endpoint, PipelineDocument, PipelineNode, Position, Side } from "./types";
import { waypointsOf, withWaypoints } from "./waypoints";

/** Add a waypoint at the position in the route that it lengthens least. */
export function addWaypoint(
  document: PipelineDocument,
  to: Endpoint,
  at: Position,
  ends: readonly [Position, Position],
): PipelineDocument {
  const points = waypointsOf(linkAt(document, to));
  const way = [ends[0], ...points, ends[1]];
  const detours = way.slice(1).map((next, place) => detour(way[place] ?? next, at, next));
  const place = detours.indexOf(Math.min(...detours));
  return withWaypoints(document, to, [...points.slice(0, place), at, ...points.slice(place)]);
}

export function moveWaypoint(
  document: PipelineDocument,
  to: Endpoint,
  place: number,
  at: Position,
): PipelineDocument {
  const points = waypointsOf(linkAt(document, to));
  return withWaypoints(document, to, points.with(place, at));
}

/** Return start and end of the wire to an input. */
export function endsOf(
  document: PipelineDocument,
  catalog: Catalog,
  to: Endpoint,
): readonly [Position, Position] | undefined {
  const link = linkAt(document, to);
  const source = link && findNode(document, link.from.node);
  const target = findNode(document, to.node);
  if (!source || !target) return undefined;
  const placed = (node: PipelineNode, side: Side, port: string): Position => {
    const module = catalog.byId.get(node.module);
    const index = module?.[`${side}s`].findIndex(({ id }) => id === port) ?? -1;
    const { x, y } = portPlaceOn(node, module, side, index);
    return { x: node.position.x + x, y: node.position.y + y };
  };
  return [placed(source, "output", link.from.port), placed(target, "input", to.port)];
}

/** Return the additional length of the route from one point to the next through a position. */
function detour(from: Position, at: Position, to: Position): number {
  const length = (one: Position, other: Position): number =>
    Math.hypot(one.x - other.x, one.y - other.y);
  return length(from, at) + length(at, to) - length(from, to);
}
