/** Nodes that have previews below them after a run. */

import type { ModuleSpec, PipelineNode } from "./types";

/** Types with a preview; a training shows its loss in the node. */
const PREVIEWED = new Set([
  "AnyDirectory",
  "ImageDirectory",
  "ScoredImages",
  "EvaluationResults",
  "UntrainedModel",
]);

/** Return the type of the first output with a preview; a collapsed node shows none. */
export function previewedType(
  { collapsed }: PipelineNode,
  module: ModuleSpec | undefined,
): string | undefined {
  return collapsed ? undefined : module?.outputs.find((port) => PREVIEWED.has(port.type))?.type;
}
