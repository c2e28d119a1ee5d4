/** Three-way merge of two people's edits: a part changed by only one of them is taken from that
 * one. */

import { sameValue } from "./edits";
import type { PipelineDocument } from "./types";

export interface Merged {
  readonly document: PipelineDocument;
  /** Paths that both versions changed to different values, such as
   * `nodes/train/parameters/epochs`. */
  readonly clashes: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** Merge two versions with their common `base`; our value wins if both changed it. */
export function mergeDocuments(
  base: PipelineDocument,
  ours: PipelineDocument,
  theirs: PipelineDocument,
): Merged {
  const clashes: string[] = [];
  const merged = merge(base, ours, theirs, "", clashes) as PipelineDocument;
  const known = new Set(merged.nodes.map(({ id }) => id));
  const links = merged.links.filter(({ from, to }) => {
    const holds = known.has(from.node) && known.has(to.node);
    if (!holds) clashes.push(`links/${to.node}.${to.port}`); // one side linked what the other removed
    return holds;
  });
  const document = links.length === merged.links.length ? merged : { ...merged, links };
  return { document, clashes };
}

function merge(
  base: unknown,
  ours: unknown,
  theirs: unknown,
  place: string,
  clashes: string[],
): unknown {
  if (sameValue(ours, theirs) || sameValue(base, theirs)) return ours;
  if (sameValue(base, ours)) return theirs;
  const [was, mine, other] = [base, ours, theirs].map(parts);
  if (was && mine && other) {
    const whole = mergeParts(was, mine, other, place, clashes);
    return Array.isArray(ours) ? [...whole.values()] : Object.fromEntries(whole);
  }
  clashes.push(place);
  return ours;
}

type Parts = ReadonlyMap<string, unknown>;

/** Merge lists in their order, our new parts last; a part that one side removed and the other left
 * unchanged is removed. */
function mergeParts(
  base: Parts,
  ours: Parts,
  theirs: Parts,
  place: string,
  clashes: string[],
): Parts {
  const values = new Map<string, unknown>();
  for (const key of new Set([...theirs.keys(), ...ours.keys()])) {
    const path = place ? `${place}/${key}` : key;
    const value = merge(base.get(key), ours.get(key), theirs.get(key), path, clashes);
    if (value !== undefined) values.set(key, value);
  }
  return values;
}

/** Return the named parts of a value; undefined for an atomic one, such as a position. */
function parts(value: unknown): Parts | undefined {
  if (typeof value !== "object" || value === null || "x" in value) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = value.map(nameOf);
  if (names.some((name) => name === undefined)) return undefined;
  const named = new Map(value.map((item, place) => [names[place] ?? "", item as unknown]));
  return named.size === value.length ? named : undefined;
}

/** Return the name of a part: a node's id, a link's input. */
function nameOf(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { id, to } = item as { readonly id?: unknown; readonly to?: Values };
  if (typeof id === "string") return id;
  return to ? `${String(to.node)}.${String(to.port)}` : undefined;
}
