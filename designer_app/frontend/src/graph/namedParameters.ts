/** Parameters that scripts take by name: `{{parameters.rate}}` in what a node is set to.
 *
 * As `pipelines/document/named_parameters.py` has it. */

import { definitionOf } from "./definitions";
import type { PipelineDocument, PipelineNode } from "./types";

const NAMED = /\$?\{\{[ \t]*parameters\.([A-Za-z_]\w*)[ \t]*\}\}/g;
const MAX_DEPTH = 16;

/** Return the parameters that nodes refer to; of inner nodes only those that no inner parameter
 * has. */
export function namedParameters(
  document: Pick<PipelineDocument, "definitions">,
  nodes: readonly PipelineNode[],
  depth = MAX_DEPTH,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    const text = JSON.stringify(node.parameters);
    for (const [, name = ""] of text.matchAll(NAMED)) names.add(name);
    const inside = definitionOf(document, node.module);
    if (!inside || depth === 0) continue;
    const own = new Set(inside.parameters.map(({ id }) => id));
    for (const name of namedParameters(document, inside.nodes, depth - 1)) {
      if (!own.has(name)) names.add(name);
    }
  }
  return names;
}
