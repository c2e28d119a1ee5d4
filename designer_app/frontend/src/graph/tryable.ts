/** Nodes whose model can be applied to an image of the user. */

import type { Catalog } from "./catalog";
import { hasSucceeded } from "./runState";
import type { PipelineNode, PortSpec, StepState } from "./types";

const TRYABLE: ReadonlySet<string> = new Set(["EvaluationResults", "TrainedModel"]);

/** Return true for outputs with a model, or about one. */
export function canTry({ type }: PortSpec): boolean {
  return TRYABLE.has(type);
}

/** Return true if the node has such an output in the shown run. */
export function isTryable(
  node: PipelineNode,
  catalog: Catalog,
  step: StepState | undefined,
): boolean {
  const outputs = catalog.byId.get(node.module)?.outputs ?? [];
  return step !== undefined && hasSucceeded(step) && outputs.some(canTry);
}
