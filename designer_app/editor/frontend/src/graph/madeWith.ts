/** Outputs that a node makes only where one of its parameters is set. */

import { valueOf } from "./parameters";
import type { ModuleSpec, ParameterSpec, PipelineNode, PortSpec } from "./types";

/** The parameter that is empty, so that the output is too. */
export function emptyFor(
  port: PortSpec,
  node: PipelineNode,
  module: ModuleSpec,
): ParameterSpec | undefined {
  const parameter = module.parameters.find(({ id }) => id === port.made_with);
  return parameter && !valueOf(parameter, node) ? parameter : undefined;
}
