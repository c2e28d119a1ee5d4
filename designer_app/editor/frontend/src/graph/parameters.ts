/** Values of parameters: which there are, which are shown, and what is wrong with them.
 *
 * The same codes as `pipelines/validation/parameters.py`; checks that several values are part of are the
 * server's alone. */

import { sameValue } from "./edits";
import {
  GREATER_THAN,
  GREATER_THAN_OR_EQUAL_TO,
  type Kind,
  LESS_THAN,
  LESS_THAN_OR_EQUAL_TO,
  NOT_IN_RANGE_VALUE,
  NULL_OR_EMPTY,
  UNKNOWN_PARAMETER,
  WRONG_PARAMETER_TYPE,
  didYouMean,
  problemOf,
} from "./problems";
import type {
  JsonValue,
  ModuleSpec,
  ParameterSpec,
  PipelineNode,
  Problem,
  Settings,
} from "./types";

export interface ParameterGroup {
  /** Empty for those that stand under no heading. */
  readonly title: string;
  readonly folded: boolean;
  readonly parameters: readonly ParameterSpec[];
}

/** The value a node runs with: its own, the pipeline's random seed, or the default. */
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

/** True where the node has a value of its own. */
export function isChanged(parameter: ParameterSpec, node: PipelineNode): boolean {
  return ownValue(node, parameter.id) !== undefined;
}

/** The parameters that matter with the values the node has. */
export function visibleParameters(
  module: ModuleSpec,
  node: PipelineNode,
): readonly ParameterSpec[] {
  return module.parameters.filter((parameter) => isVisible(parameter, module, node));
}

/** The same under their headings, in the order of declaration. */
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
    folded: parameters.every((each) => each.folded),
    parameters,
  }));
}

/** What a user typed as the value it means; text where it means none, so that it can be told. */
export function parseInput(parameter: ParameterSpec, text: string): JsonValue {
  const trimmed = text.trim();
  if (trimmed === "" && (parameter.nullable || parameter.type !== "string")) return null;
  if (parameter.type === "integer" || parameter.type === "number") {
    const number = Number(trimmed.replace(",", "."));
    return Number.isFinite(number) ? number : text;
  }
  if (parameter.type === "boolean")
    return trimmed === "true" ? true : trimmed === "false" ? false : text;
  if (parameter.type === "array" || parameter.type === "object") return parsedJson(trimmed);
  return text;
}

/** The value as it stands in an input. */
export function textOf(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Every fault of a node's parameters that can be known here. */
export function parameterProblems(module: ModuleSpec, node: PipelineNode): readonly Problem[] {
  const found: Problem[] = [];
  for (const name of Object.keys(node.parameters)) {
    if (module.parameters.some((each) => each.id === name)) continue;
    const message = `${module.title} has no parameter '${name.slice(0, 100)}'.`;
    const cure = didYouMean(
      name,
      module.parameters.map((each) => each.id),
    );
    const place = { node: node.id, parameter: name, remedy: { reset: name } };
    found.push(problemOf(UNKNOWN_PARAMETER, message, cure, place));
  }
  for (const parameter of module.parameters) {
    const own = ownValue(node, parameter.id);
    if (own === undefined && !parameter.required) continue;
    const problem = parameterProblem(parameter, own, node.id);
    if (problem) found.push(problem);
  }
  return found;
}

/** What is wrong with one value; undefined is a value that is missing. */
export function parameterProblem(
  parameter: ParameterSpec,
  value: JsonValue | undefined,
  node?: string,
): Problem | undefined {
  const fault = faultOf(parameter, value);
  if (!fault) return undefined;
  return problemOf(fault.kind, fault.message, fault.cure, {
    ...(node === undefined ? {} : { node }),
    parameter: parameter.id,
    remedy: parameter.required ? undefined : { reset: parameter.id },
  });
}

interface Fault {
  readonly kind: Kind;
  readonly message: string;
  readonly cure: string;
}

const TYPES: Readonly<Record<string, readonly [string, (value: JsonValue) => boolean]>> = {
  integer: ["a whole number", (value) => Number.isInteger(value)],
  number: ["a number", (value) => typeof value === "number"],
  boolean: ["true or false", (value) => typeof value === "boolean"],
  string: ["text", (value) => typeof value === "string"],
  array: ["a list", (value) => Array.isArray(value)],
  object: ["an object", (value) => typeof value === "object" && !Array.isArray(value)],
};

function faultOf(parameter: ParameterSpec, value: JsonValue | undefined): Fault | undefined {
  const title = parameter.title ?? parameter.id;
  if (value === undefined)
    return { kind: NULL_OR_EMPTY, message: `${title} is empty.`, cure: "Give it a value." };
  if (value === null) {
    const cure = "Give it a value, or reset it.";
    return parameter.nullable
      ? undefined
      : { kind: NULL_OR_EMPTY, message: `${title} is empty.`, cure };
  }
  const message = `${title} is ${shown(value)}.`;
  if (parameter.choices) {
    if (parameter.choices.some((each) => sameValue(each, value))) return undefined;
    const cure = `Choose one of ${choicesInWords(parameter.choices)}.`;
    return { kind: NOT_IN_RANGE_VALUE, message, cure };
  }
  const type = TYPES[parameter.type];
  if (type && !type[1](value))
    return { kind: WRONG_PARAMETER_TYPE, message, cure: `Give it ${type[0]}.` };
  if (typeof value === "number") return rangeFault(parameter, value, message);
  return typeof value === "string" ? lengthFault(parameter, value, title) : undefined;
}

/** The ends of its range: "at least 1 and at most 100"; empty where it has none. */
export function limitsOf(parameter: ParameterSpec): string {
  return boundsOf(parameter)
    .filter(({ end }) => Math.abs(end) < Number.MAX_SAFE_INTEGER) // as far as numbers go
    .map((each) => each.words)
    .join(" and ");
}

/** One bound has its own code; a range with two ends is NotInRangeValue. */
function rangeFault(parameter: ParameterSpec, value: number, message: string): Fault | undefined {
  const bounds = boundsOf(parameter);
  const broken = bounds.find((each) => !each.holds(value));
  if (!broken) return undefined;
  if (bounds.length === 1) return { kind: broken.kind, message, cure: `Set it ${broken.words}.` };
  const cure = `Set it ${bounds.map((each) => each.words).join(" and ")}.`;
  return { kind: NOT_IN_RANGE_VALUE, message, cure };
}

interface Bound {
  readonly kind: Kind;
  readonly end: number;
  readonly words: string;
  readonly holds: (value: number) => boolean;
}

function boundsOf(parameter: ParameterSpec): readonly Bound[] {
  const rows: readonly [number | null, Kind, string, (value: number, end: number) => boolean][] = [
    [parameter.exclusive_minimum, GREATER_THAN, "greater than", (value, end) => value > end],
    [parameter.minimum, GREATER_THAN_OR_EQUAL_TO, "at least", (value, end) => value >= end],
    [parameter.exclusive_maximum, LESS_THAN, "less than", (value, end) => value < end],
    [parameter.maximum, LESS_THAN_OR_EQUAL_TO, "at most", (value, end) => value <= end],
  ];
  return rows.flatMap(([end, kind, words, holds]) =>
    end === null
      ? []
      : [{ kind, end, words: inWords(words, end), holds: (value: number) => holds(value, end) }],
  );
}

/** "at least 1"; the smallest step above nothing is read as what it means. */
function inWords(words: string, end: number): string {
  return end === Number.EPSILON ? "greater than 0" : `${words} ${shortest(end)}`;
}

function lengthFault(parameter: ParameterSpec, value: string, title: string): Fault | undefined {
  const length = [...value].length;
  if (length < (parameter.min_length ?? 0)) {
    return { kind: NULL_OR_EMPTY, message: `${title} is empty.`, cure: "Give it a value." };
  }
  if (parameter.max_length === null || length <= parameter.max_length) return undefined;
  const message = `${title} has ${length} characters, more than ${parameter.max_length}.`;
  return { kind: NOT_IN_RANGE_VALUE, message, cure: "Shorten it." };
}

function isVisible(parameter: ParameterSpec, module: ModuleSpec, node: PipelineNode): boolean {
  return parameter.shown_when.every((condition) => {
    const other = module.parameters.find((each) => each.id === condition.parameter);
    if (!other) return true;
    const value = valueOf(other, node);
    const fitting = condition.values.some((each) => sameValue(each, value));
    // what depends on a hidden one is hidden too
    return fitting && isVisible(other, module, node);
  });
}

function ownValue(node: PipelineNode, name: string): JsonValue | undefined {
  return Object.hasOwn(node.parameters, name) ? node.parameters[name] : undefined;
}

function parsedJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function choicesInWords(choices: readonly JsonValue[]): string {
  const words = choices.map((each) =>
    typeof each === "string" ? `'${each}'` : JSON.stringify(each),
  );
  const last = words.pop() ?? "";
  return words.length ? `${words.join(", ")} or ${last}` : last;
}

function shown(value: JsonValue): string {
  const text = typeof value === "number" ? shortest(value) : JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 77)}...`;
}

/** Six significant digits, as Python's `g` writes a float; whole numbers as they are. */
function shortest(value: number): string {
  if (Number.isSafeInteger(value)) return `${value}`;
  const [digits = "", power = "0"] = value.toExponential(5).split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return `${Number(value.toPrecision(6))}`;
  const sign = exponent < 0 ? "-" : "+";
  return `${Number(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
