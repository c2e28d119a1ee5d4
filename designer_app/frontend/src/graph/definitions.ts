/** Sub-pipelines of a document, and those that pasted nodes bring with them. */

import { freshId, sameValue } from "./edits";
import { findNode } from "./lookup";
import type { Definition, Endpoint, PipelineDocument } from "./types";

export const PREFIX = "definition:";
/** Maximum nesting: `MAX_DEPTH` of `pipelines/document/expansion.py`. */
const MOST_LEVELS = 16;

/** Return the id of the sub-pipeline that a node's module names; undefined for a module. */
export function definitionIdOf(module: string): string | undefined {
  return module.startsWith(PREFIX) ? module.slice(PREFIX.length) : undefined;
}

/** Return the sub-pipeline of a node. */
export function definitionOf(
  document: Pick<PipelineDocument, "definitions">,
  module: string,
): Definition | undefined {
  const id = definitionIdOf(module);
  return id === undefined
    ? undefined
    : document.definitions?.find((definition) => definition.id === id);
}

/** Return the module port behind a port of a node, through all sub-pipelines. */
export function innermost(
  document: PipelineDocument,
  end: Endpoint,
  side: "inputs" | "outputs",
): Endpoint {
  let at = end;
  let module = findNode(document, end.node)?.module ?? "";
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const definition = definitionOf(document, module);
    const port = definition?.[side].find((port) => port.id === at.port);
    if (!definition || !port) break;
    at = { node: `${at.node}/${port.node}`, port: port.port };
    module = definition.nodes.find((inner) => inner.id === port.node)?.module ?? "";
  }
  return at;
}

/** Return the sub-pipelines of a document and those of pasted nodes; `modules`: their new names. */
export function definitionsFor(
  document: PipelineDocument,
  copied: PipelineDocument,
): { readonly definitions: readonly Definition[]; readonly modules: ReadonlyMap<string, string> } {
  const known = document.definitions ?? [];
  const needed = neededBy(copied);
  const names = new Map<string, string>();
  for (const definition of needed) {
    const same = sameValue(
      definition,
      known.find(({ id }) => id === definition.id),
    );
    const taken = [...known, ...[...names.values()].map((id) => ({ id }))];
    names.set(definition.id, same ? definition.id : freshId(taken, definition.id));
  }
  const modules = new Map([...names].map(([old, id]) => [PREFIX + old, PREFIX + id]));
  const added = needed.flatMap((definition) => {
    const id = names.get(definition.id) ?? definition.id;
    if (known.some((one) => one.id === id)) return [];
    const nodes = definition.nodes.map((node) => ({
      ...node,
      module: modules.get(node.module) ?? node.module,
    }));
    return [{ ...definition, id, nodes }];
  });
  return { definitions: [...known, ...added], modules };
}

/** Return the sub-pipelines that the nodes of a document refer to, and those inside them. */
function neededBy(document: PipelineDocument): readonly Definition[] {
  const needed = new Map<string, Definition>();
  const waiting = document.nodes.map((node) => node.module);
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    const definition = definitionOf(document, module);
    if (!definition || needed.has(definition.id)) continue;
    needed.set(definition.id, definition);
    waiting.push(...definition.nodes.map((node) => node.module));
  }
  return (document.definitions ?? []).filter((definition) => needed.has(definition.id));
}
