/** Nodes that have previews below them after a run. */

import type { ModuleSpec } from "./types";

/** Types with a preview; a training shows its loss in the node. */
const PREVIEWED = new Set([
  "AnyDirectory",
  "ImageDirectory",
  "ScoredImages",
  "EvaluationResults",
  "UntrainedModel",
]);

/** Return the type of the first output with a preview. */
export function previewedType(module: ModuleSpec | undefined): string | undefined {
  return module?.outputs.find((port) => PREVIEWED.has(port.type))?.type;
}
