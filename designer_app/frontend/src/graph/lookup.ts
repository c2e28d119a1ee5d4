/** Indexes of a document, cached for each of its immutable parts. */

import type { Endpoint, Link, PipelineDocument, PipelineNode } from "./types";

/** Return `make(key)`, cached as long as the key exists. */
export function remembered<Key extends object, Value>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = make(key);
      known.set(key, value);
    }
    return value;
  };
}

const nodeIndex = remembered((nodes: readonly PipelineNode[]) => {
  const index = new Map<string, PipelineNode>();
  for (const node of nodes) if (!index.has(node.id)) index.set(node.id, node);
  return index as ReadonlyMap<string, PipelineNode>;
});

const inputIndex = remembered((links: readonly Link[]) => {
  const index = new Map<string, Link>();
  for (const link of links) if (!index.has(endKey(link.to))) index.set(endKey(link.to), link);
  return index as ReadonlyMap<string, Link>;
});

const sourceIndex = remembered((links: readonly Link[]) =>
  grouped(links, (link) => link.from.node),
);
const targetIndex = remembered((links: readonly Link[]) => grouped(links, (link) => link.to.node));

const none: readonly Link[] = [];

/** Return the nodes by id, in document order; the first of each id. */
export function nodesById(document: PipelineDocument): ReadonlyMap<string, PipelineNode> {
  return nodeIndex(document.nodes);
}

export function findNode(
  document: Pick<PipelineDocument, "nodes">,
  id: string,
): PipelineNode | undefined {
  return nodeIndex(document.nodes).get(id);
}

/** Return the link that ends at an input. */
export function linkAt(document: PipelineDocument, to: Endpoint): Link | undefined {
  return inputIndex(document.links).get(endKey(to));
}

/** Return the links that end at a node, in document order. */
export function linksInto(document: PipelineDocument, node: string): readonly Link[] {
  return targetIndex(document.links).get(node) ?? none;
}

/** Return the links that start at a node, in document order. */
export function linksFrom(document: PipelineDocument, node: string): readonly Link[] {
  return sourceIndex(document.links).get(node) ?? none;
}

/** Return the name of a link in selections and React Flow, `node.port`: the input where it ends. */
export function endKey(end: Endpoint): string {
  return `${end.node}.${end.port}`;
}

/** Return the endpoint of an `endKey`. */
export function endOf(key: string): Endpoint {
  const dot = key.indexOf(".");
  return { node: key.slice(0, dot), port: key.slice(dot + 1) };
}

export function sameEnd(one: Endpoint, other: Endpoint): boolean {
  return one.node === other.node && one.port === other.port;
}

function grouped(
  links: readonly Link[],
  key: (link: Link) => string,
): ReadonlyMap<string, readonly Link[]> {
  const groups = new Map<string, Link[]>();
  for (const link of links) {
    const group = groups.get(key(link));
    if (group) group.push(link);
    else groups.set(key(link), [link]);
  }
  return groups;
}
