/** Values of parameters: their defaults, visibility and typed text. */

import { sameValue } from "./edits";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineNode, Settings } from "./types";

export interface ParameterGroup {
  /** Empty for parameters without a heading. */
  readonly title: string;
  readonly folded: boolean;
  readonly parameters: readonly ParameterSpec[];
}

/** Return the value that a node runs with: its own, the pipeline's random seed, or the default. */
export function valueOf(
  parameter: ParameterSpec,
  node: PipelineNode,
  settings?: Settings,
): JsonValue {
  const own = ownValue(node, parameter.id);
  if (own !== undefined) return own;
  const seed = settings?.random_seed;
  return parameter.id === "random_seed" && seed != null ? seed : parameter.default;
}

/** Return true if the node sets its own value. */
export function isChanged(parameter: ParameterSpec, node: PipelineNode): boolean {
  return ownValue(node, parameter.id) !== undefined;
}

/** Return the parameters that apply to the values of the node. */
export function visibleParameters(
  module: ModuleSpec,
  node: PipelineNode,
): readonly ParameterSpec[] {
  return module.parameters.filter((parameter) => isVisible(parameter, module, node));
}

/** Return the visible parameters by heading, in the order of declaration. */
export function groupedParameters(
  module: ModuleSpec,
  node: PipelineNode,
): readonly ParameterGroup[] {
  const groups = new Map<string, ParameterSpec[]>();
  for (const parameter of visibleParameters(module, node)) {
    const group = groups.get(parameter.group);
    if (group) group.push(parameter);
    else groups.set(parameter.group, [parameter]);
  }
  return [...groups].map(([title, parameters]) => ({
    title,
    folded: parameters.every((parameter) => parameter.folded),
    parameters,
  }));
}

/** Parse typed text as a value; text that cannot be parsed is returned unchanged, to be
 * reported. */
export function parseInput(parameter: ParameterSpec, text: string): JsonValue {
  const trimmed = text.trim();
  if (trimmed === "" && (parameter.nullable || parameter.type !== "string")) return null;
  if (parameter.type === "integer" || parameter.type === "number") {
    const number = numberOf(text, parameter.type === "integer");
    return Number.isFinite(number) ? number : text;
  }
  if (parameter.type === "boolean")
    return trimmed === "true" ? true : trimmed === "false" ? false : text;
  if (parameter.type === "array" || parameter.type === "object") return parsedJson(trimmed);
  return text;
}

/** "1,000" and "1,000,000.5", as numbers are shown. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
/** May be a whole number or one with a fraction, depending on the country. */
export const AMBIGUOUS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/** Parse a number; NaN if the text is invalid or ambiguous. */
export function numberOf(text: string, isWhole: boolean): number {
  const trimmed = text.trim();
  if (trimmed === "") return NaN;
  if (!GROUPED.test(trimmed)) return Number(isWhole ? trimmed : trimmed.replace(",", "."));
  return !isWhole && AMBIGUOUS.test(trimmed) ? NaN : Number(trimmed.replaceAll(",", ""));
}

/** Return the value as the text of an input. */
export function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isVisible(parameter: ParameterSpec, module: ModuleSpec, node: PipelineNode): boolean {
  return parameter.shown_when.every((condition) => {
    const other = module.parameters.find((parameter) => parameter.id === condition.parameter);
    if (!other) return true;
    const value = valueOf(other, node);
    const fitting = condition.values.some((accepted) => sameValue(accepted, value));
    // a parameter that depends on a hidden one is hidden too
    return fitting && isVisible(other, module, node);
  });
}

/** Return the value set at the node; undefined if there is none. */
export function ownValue(node: PipelineNode, name: string): JsonValue | undefined {
  return Object.hasOwn(node.parameters, name) ? node.parameters[name] : undefined;
}

function parsedJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
