/** Pinned results: what runs take from the store, and what they leave out because of it. */

import type { Catalog } from "./catalog";
import { sourceOf } from "./disabledNodes";
import { findNode, linksInto, remembered } from "./lookup";
import { order } from "./traversal";
import type { PipelineDocument, PipelineNode } from "./types";

type Pin = NonNullable<PipelineNode["pin"]>;

export type { Pin };

/** Return the pin of a node that runs use; a disabled node does not use its own. */
export function pinOf(node: PipelineNode | undefined): Pin | undefined {
  return node && !node.disabled ? (node.pin ?? undefined) : undefined;
}

/** Return the enabled nodes that only pinned nodes would read: runs do not compute them. */
export const unneededNodes = remembered((document: PipelineDocument) =>
  remembered((catalog: Catalog) => findUnneeded(document, catalog)),
);

const NONE: ReadonlySet<string> = new Set();

function findUnneeded(document: PipelineDocument, catalog: Catalog): ReadonlySet<string> {
  const sorted = document.nodes.some(pinOf) ? order(document) : undefined;
  if (!sorted) return NONE;
  const readers = new Map<string, string[]>();
  for (const { id, disabled } of document.nodes) {
    for (const link of disabled ? [] : linksInto(document, id)) {
      const source = sourceOf(link.from, document, catalog)?.node;
      if (source !== undefined) readers.set(source, [...(readers.get(source) ?? []), id]);
    }
  }
  const unneeded = new Set<string>();
  const isLeftOut = (id: string): boolean =>
    unneeded.has(id) || pinOf(findNode(document, id)) !== undefined;
  for (const id of [...sorted].reverse()) {
    const node = findNode(document, id);
    const own = readers.get(id);
    if (node && !node.disabled && !node.pin && own?.every(isLeftOut)) unneeded.add(id);
  }
  return unneeded;
}

/** Return the time in the id of a run, in milliseconds since the epoch; undefined without one. */
export function madeAt(run: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(run)?.slice(1).map(Number);
  if (!parts) return undefined;
  const [year = 0, month = 1, day, hour, minute, second] = parts;
  return new Date(year, month - 1, day, hour, minute, second).getTime();
}
