/** Document that a run executes: parameters applied, sub-pipelines expanded. As in
 * `pipelines/document/expansion.py`, an inner node's id is its path through the enclosing
 * nodes. */

import { halves } from "./binds";
import { definitionOf } from "./definitions";
import type { PipelineDocument, PipelineNode } from "./types";
import { putInPlace } from "./unpacking";

const MAX_DEPTH = 16;
const MAX_NODES = 5000;

export function expanded(document: PipelineDocument): PipelineDocument {
  let whole = document;
  for (let node = standsIn(whole); node; node = standsIn(whole)) {
    const definition = definitionOf(whole, node.module);
    if (!definition) break;
    const { id } = node;
    whole = putInPlace(whole, node, definition, (inner) => `${id}/${inner}`);
  }
  return withValues(whole);
}

/** Apply parameters to the nodes; of two for the same value, the outer one wins. */
function withValues({ parameters = [], ...whole }: PipelineDocument): PipelineDocument {
  const bound = new Map<string, PipelineNode["parameters"]>();
  for (const { binds, default: value } of parameters) {
    for (const [node, name] of binds.map(halves)) {
      bound.set(node, { [name]: value, ...bound.get(node) });
    }
  }
  const assigned = (node: PipelineNode): PipelineNode => {
    const values = bound.get(node.id);
    return values ? { ...node, parameters: { ...node.parameters, ...values } } : node;
  };
  return bound.size ? { ...whole, nodes: whole.nodes.map(assigned) } : whole;
}

/** Return the ids of a node in an expanded document: its own, or those of its inner nodes. */
export function members(document: PipelineDocument, id: string): readonly string[] {
  const ids = document.nodes.map((node) => node.id);
  return ids.filter((path) => path === id || path.startsWith(`${id}/`));
}

/** Return true for a node of a sub-pipeline; recursion stops at the maximum depth. */
function standsIn(whole: PipelineDocument): PipelineNode | undefined {
  if (whole.nodes.length > MAX_NODES) return undefined;
  return whole.nodes.find(
    ({ id, module }) => definitionOf(whole, module) && id.split("/").length <= MAX_DEPTH,
  );
}
