/** Parameters that a node varies itself: each line of another parameter is NAME = SPACE. */

import { valueOf } from "./parameters";
import { isLineList } from "./lineLists";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineNode } from "./types";

export interface TriedParameter {
  /** Id of the parameter that is varied. */
  readonly id: string;
  /** Values to try, as text: `4,8,16` or `1e-3..1e-1:log`. */
  readonly space: string;
  /** Parameter with the lines. */
  readonly by: ParameterSpec;
}

const NONE: readonly TriedParameter[] = [];

/** Return the parameters that a node varies; incomplete lines are skipped. */
export function triedParameters(
  module: ModuleSpec | undefined,
  node: PipelineNode,
): readonly TriedParameter[] {
  const by = module?.parameters.find(({ tries }) => tries);
  return by ? linesOf(by, valueOf(by, node)) : NONE;
}

/** Return how a node varies a parameter; undefined if it does not. */
export function triedBy(
  module: ModuleSpec | undefined,
  node: PipelineNode,
  id: string,
): TriedParameter | undefined {
  return triedParameters(module, node).find((tried) => tried.id === id);
}

function linesOf(by: ParameterSpec, lines: JsonValue): readonly TriedParameter[] {
  if (!isLineList(lines)) return NONE;
  return lines.flatMap((line) => {
    const at = line.indexOf("=");
    const [name, space] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at < 1 || name === "" || space === "") return [];
    return [{ id: name.toLowerCase().replaceAll(" ", "_"), space, by }]; // "Learning rate", too
  });
}
