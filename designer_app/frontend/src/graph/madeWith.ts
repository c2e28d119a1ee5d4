/** Outputs that a node produces only if one of its parameters is set. */

import { valueOf } from "./parameters";
import type { ModuleSpec, ParameterSpec, PipelineNode, PortSpec } from "./types";

/** Return the empty parameter because of which an output is empty. */
export function emptyFor(
  port: PortSpec,
  node: PipelineNode,
  module: ModuleSpec,
): ParameterSpec | undefined {
  const parameter = module.parameters.find(({ id }) => id === port.made_with);
  return parameter && !valueOf(parameter, node) ? parameter : undefined;
}
