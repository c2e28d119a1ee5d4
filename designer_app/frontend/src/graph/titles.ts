/** Titles of nodes, numbered if several are the same. */

import type { Catalog } from "./catalog";
import { titleOf } from "./search";
import type { PipelineNode } from "./types";

interface Known {
  readonly catalog: Catalog;
  readonly numbers: ReadonlyMap<string, number>;
}

const known = new WeakMap<readonly PipelineNode[], Known>();

/** "Apply Image Transformation 2": a node's title, numbered among equal ones. */
export function titleAmong(
  nodes: readonly PipelineNode[],
  node: PipelineNode,
  catalog: Catalog,
): string {
  const number = twinNumber(nodes, node.id, catalog);
  return [titleOf(node, catalog), number].filter((part) => part !== undefined).join(" ");
}

/** Return the number of a node among those with the same title, from 1; undefined for the only
 * one. */
export function twinNumber(
  nodes: readonly PipelineNode[],
  id: string,
  catalog: Catalog,
): number | undefined {
  let numbers = known.get(nodes);
  if (numbers?.catalog !== catalog) {
    numbers = { catalog, numbers: numbered(nodes, catalog) };
    known.set(nodes, numbers);
  }
  return numbers.numbers.get(id);
}

function numbered(nodes: readonly PipelineNode[], catalog: Catalog): ReadonlyMap<string, number> {
  const idsOf = new Map<string, string[]>();
  for (const node of nodes) {
    const title = titleOf(node, catalog);
    const ids = idsOf.get(title);
    if (ids) ids.push(node.id);
    else idsOf.set(title, [node.id]);
  }
  return new Map(
    [...idsOf.values()].flatMap((ids) =>
      ids.length > 1 ? ids.map((id, place) => [id, place + 1] as const) : [],
    ),
  );
}
