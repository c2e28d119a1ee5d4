/** Which nodes have pictures below them once they have run. */

import type { ModuleSpec } from "./types";

/** What a preview can be made of; a training draws its loss in the node. */
const PREVIEWED = new Set([
  "AnyDirectory",
  "ImageDirectory",
  "ScoredImages",
  "EvaluationResults",
  "UntrainedModel",
]);

/** The type of the first output that has a preview. */
export function previewedType(module: ModuleSpec | undefined): string | undefined {
  return module?.outputs.find((port) => PREVIEWED.has(port.type))?.type;
}
