/** Order, reachability and cycles of the links. */

import { linksFrom, linksInto, nodesById } from "./lookup";
import type { Link, PipelineDocument } from "./types";

/** Return true if a path along the links leads from one node to the other. */
export function reaches(document: PipelineDocument, start: string, end: string): boolean {
  return start === end || downstream(document, [start]).has(end);
}

/** Return the nodes whose outputs reach one of these, without these. */
export function upstream(document: PipelineDocument, ids: Iterable<string>): ReadonlySet<string> {
  return spread(
    ids,
    (id) => linksInto(document, id),
    (link) => link.from.node,
  );
}

/** Return the nodes that an output of one of these reaches, without these. */
export function downstream(document: PipelineDocument, ids: Iterable<string>): ReadonlySet<string> {
  return spread(
    ids,
    (id) => linksFrom(document, id),
    (link) => link.to.node,
  );
}

/** Return all node ids in topological order, otherwise in document order; undefined for a cycle. */
export function order(document: PipelineDocument): readonly string[] | undefined {
  const ids = [...nodesById(document).keys()];
  const sorted = sort(document, ids);
  return sorted.length === ids.length ? sorted : undefined;
}

/** Return the nodes by column: each in the column after the last of its inputs. */
export function columns(document: PipelineDocument): readonly (readonly string[])[] {
  const depth = new Map<string, number>();
  const made: string[][] = [];
  const sorted = sort(document, [...nodesById(document).keys()]);
  const rest = [...nodesById(document).keys()].filter((id) => !sorted.includes(id));
  for (const id of [...sorted, ...rest]) {
    const before = linksInto(document, id).map((link) => depth.get(link.from.node) ?? -1);
    const column = Math.max(-1, ...before) + 1;
    depth.set(id, column);
    (made[column] ??= []).push(id);
  }
  return made;
}

/** Kahn's algorithm; of the ready nodes, the first in the document is next. */
function sort(document: PipelineDocument, ids: readonly string[]): string[] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const known = (links: readonly Link[], end: "from" | "to"): Set<string> =>
    new Set(links.map((link) => link[end].node).filter((id) => places.has(id)));
  const missing = new Map(ids.map((id) => [id, known(linksInto(document, id), "from").size]));
  const ready = ids.filter((id) => missing.get(id) === 0);
  const sorted: string[] = [];
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    sorted.push(id);
    for (const next of known(linksFrom(document, id), "to")) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) insertByPlace(ready, next, places);
    }
  }
  return sorted;
}

function insertByPlace(ready: string[], id: string, places: ReadonlyMap<string, number>): void {
  const place = places.get(id) ?? 0;
  let [low, high] = [0, ready.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places.get(ready[middle] ?? "") ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  ready.splice(low, 0, id);
}

function spread(
  ids: Iterable<string>,
  links: (id: string) => readonly Link[],
  other: (link: Link) => string,
): ReadonlySet<string> {
  const starts = new Set(ids);
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const link of links(id)) {
      const next = other(link);
      if (seen.has(next) || starts.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return seen;
}
