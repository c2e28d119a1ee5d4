/** Waypoints of wires, set by hand. */

import { endKey, linkAt } from "./lookup";
import type { Endpoint, Link, PipelineDocument, Position } from "./types";

const NONE: readonly Position[] = [];

export function waypointsOf(link: Link | undefined): readonly Position[] {
  return link?.waypoints ?? NONE;
}

/** Remove one waypoint, or all if none is named. */
export function removeWaypoints(
  document: PipelineDocument,
  to: Endpoint,
  place?: number,
): PipelineDocument {
  const points = waypointsOf(linkAt(document, to));
  return withWaypoints(document, to, place === undefined ? [] : points.toSpliced(place, 1));
}

/** Move the waypoints of wires whose both ends move; `by` is the displacement of each node. */
export function carryWaypoints(
  document: PipelineDocument,
  by: ReadonlyMap<string, Position>,
): PipelineDocument {
  if (by.size === 0 || !document.links.some((link) => link.waypoints)) return document;
  const links = document.links.map((link) => {
    const [from, to] = [by.get(link.from.node), by.get(link.to.node)];
    if (!link.waypoints || !from || !to || from.x !== to.x || from.y !== to.y) return link;
    const waypoints = link.waypoints.map(({ x, y }) => ({ x: x + to.x, y: y + to.y }));
    return { ...link, waypoints };
  });
  return { ...document, links };
}

/** Remove the waypoints of wires between nodes that were laid out again. */
export function dropWaypoints(
  document: PipelineDocument,
  nodes: ReadonlySet<string>,
): PipelineDocument {
  const isLaid = (link: Link): boolean => nodes.has(link.from.node) && nodes.has(link.to.node);
  if (!document.links.some((link) => link.waypoints && isLaid(link))) return document;
  return { ...document, links: document.links.map((link) => (isLaid(link) ? plain(link) : link)) };
}

/** Set the waypoints of a wire; without any it is routed automatically. */
export function withWaypoints(
  document: PipelineDocument,
  to: Endpoint,
  points: readonly Position[],
): PipelineDocument {
  const waypoints = points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) }));
  const links = document.links.map((link) => {
    if (endKey(link.to) !== endKey(to)) return link;
    return waypoints.length > 0 ? { ...link, waypoints } : plain(link);
  });
  return { ...document, links };
}

function plain({ from, to }: Link): Link {
  return { from, to };
}
