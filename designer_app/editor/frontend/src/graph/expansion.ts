/** What a run of a document executes: parameters given, sub-pipelines put in place.
 *
 * As `pipelines/documents/expansion.py` has it: a node inside has the path of those around it as id. */

import { definitionOf } from "./definitions";
import { removeParameter } from "./pipelineParameters";
import { unpack } from "./subPipelines";
import type { PipelineDocument, PipelineNode } from "./types";

const MAX_DEPTH = 16;
const MAX_NODES = 5000;

export function expanded(document: PipelineDocument): PipelineDocument {
  let whole = document;
  for (let node = standsIn(whole); node; node = standsIn(whole)) {
    const { id } = node;
    whole = unpack(whole, id, (inner) => `${id}/${inner}`);
  }
  return (whole.parameters ?? []).reduce((each, { id }) => removeParameter(each, id), whole);
}

/** The ids that a node has in an expanded document: its own, or those of all inside it. */
export function members(document: PipelineDocument, id: string): readonly string[] {
  const ids = document.nodes.map((node) => node.id);
  return ids.filter((each) => each === id || each.startsWith(`${id}/`));
}

/** A node that stands for a sub-pipeline; one that holds itself is left where it gets too deep. */
function standsIn(whole: PipelineDocument): PipelineNode | undefined {
  if (whole.nodes.length > MAX_NODES) return undefined;
  return whole.nodes.find(
    ({ id, module }) => definitionOf(whole, module) && id.split("/").length <= MAX_DEPTH,
  );
}
