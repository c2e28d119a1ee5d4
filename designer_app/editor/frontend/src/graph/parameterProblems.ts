/** What is wrong with the values of parameters. The same faults as
 * `pipelines/validation/parameters.py`, but that checks of several values are the server's alone. */

import { sameValue } from "./edits";
import { ownValue } from "./parameters";
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
import { type Sentence, type Statement, about, messageOf } from "./sentences/sentence";
import * as say from "./sentences/values.gen";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineNode, Problem } from "./types";

/** Every fault of a node's parameters that can be known here. */
export function parameterProblems(module: ModuleSpec, node: PipelineNode): readonly Problem[] {
  const found: Problem[] = [];
  const names = module.parameters.map((each) => each.id);
  for (const parameter of module.parameters) {
    const own = ownValue(node, parameter.id);
    if (own === undefined && !parameter.required) continue;
    const problem = parameterProblem(parameter, own, node.id);
    if (problem) found.push(problem);
  }
  for (const name of Object.keys(node.parameters)) {
    if (!names.includes(name)) found.push(unknownParameter(name, names, module, node));
  }
  return found;
}

function unknownParameter(
  name: string,
  names: readonly string[],
  module: ModuleSpec,
  node: PipelineNode,
): Problem {
  const facts = { module: module.title, name: name.slice(0, 100), help: didYouMean(name, names) };
  const place = { node: node.id, parameter: name, remedy: { reset: name } };
  return problemOf(UNKNOWN_PARAMETER, about(say.NO_PARAMETER, facts), place);
}

/** What is wrong with one value; undefined is a value that is missing. */
export function parameterProblem(
  parameter: ParameterSpec,
  value: JsonValue | undefined,
  node?: string,
): Problem | undefined {
  const fault = faultOf(parameter, value);
  if (!fault) return undefined;
  return problemOf(fault.kind, fault.said, {
    ...(node === undefined ? {} : { node }),
    parameter: parameter.id,
    remedy: parameter.required ? undefined : { reset: parameter.id },
  });
}

/** The ends of its range: "at least 1 and at most 100"; empty where it has none. */
export function limitsOf(parameter: ParameterSpec): string {
  return boundsOf(parameter)
    .filter(({ end }) => Math.abs(end) < Number.MAX_SAFE_INTEGER) // as far as numbers go
    .map(({ end, said }) =>
      // the smallest step above nothing is read as what it means
      end === Number.EPSILON ? "greater than 0" : messageOf(said),
    )
    .join(" and ");
}

interface Fault {
  readonly kind: Kind;
  readonly said: Statement;
}

type Test = (value: JsonValue) => boolean;

const TYPES: Readonly<Record<string, readonly [Sentence<never>, Test]>> = {
  integer: [say.WHOLE_NUMBER, (value) => Number.isInteger(value)],
  number: [say.NUMBER, (value) => typeof value === "number"],
  boolean: [say.TRUE_OR_FALSE, (value) => typeof value === "boolean"],
  string: [say.TEXT, (value) => typeof value === "string"],
  array: [say.LIST, (value) => Array.isArray(value)],
  object: [say.OBJECT, (value) => typeof value === "object" && !Array.isArray(value)],
};

function faultOf(parameter: ParameterSpec, value: JsonValue | undefined): Fault | undefined {
  const title = parameter.title ?? parameter.id;
  if (value === undefined) return { kind: NULL_OR_EMPTY, said: about(say.EMPTY, { title }) };
  if (value === null) {
    if (parameter.nullable) return undefined;
    return { kind: NULL_OR_EMPTY, said: about(say.EMPTY_WITH_DEFAULT, { title }) };
  }
  const facts = { title, given: shown(value) };
  if (parameter.choices) {
    if (parameter.choices.some((each) => sameValue(each, value))) return undefined;
    const choices = choicesInWords(parameter.choices);
    return { kind: NOT_IN_RANGE_VALUE, said: about(say.NO_CHOICE, { ...facts, choices }) };
  }
  const type = TYPES[parameter.type];
  if (type && !type[1](value)) {
    const said = about(say.WRONG_TYPE, { ...facts, wanted: about(type[0], {}) });
    return { kind: WRONG_PARAMETER_TYPE, said };
  }
  if (typeof value === "number") return rangeFault(parameter, value, facts);
  return typeof value === "string" ? lengthFault(parameter, value, title) : undefined;
}

/** One bound has its own code; a range with two ends is NotInRangeValue. */
function rangeFault(
  parameter: ParameterSpec,
  value: number,
  facts: { readonly title: string; readonly given: string },
): Fault | undefined {
  const bounds = boundsOf(parameter);
  const broken = bounds.find((each) => !each.holds(value));
  if (!broken) return undefined;
  const [lower, upper] = bounds.map((each) => each.said);
  if (lower && upper) {
    const said = about(say.OUT_OF_TWO_BOUNDS, { ...facts, lower, upper });
    return { kind: NOT_IN_RANGE_VALUE, said };
  }
  return { kind: broken.kind, said: about(say.OUT_OF_RANGE, { ...facts, bound: broken.said }) };
}

interface Bound {
  readonly kind: Kind;
  readonly end: number;
  /** "at least 1" */
  readonly said: Statement;
  readonly holds: (value: number) => boolean;
}

type Row = readonly [
  number | null,
  Kind,
  Sentence<"end">,
  holds: (value: number, end: number) => boolean,
];

function boundsOf(parameter: ParameterSpec): readonly Bound[] {
  const rows: readonly Row[] = [
    [parameter.exclusive_minimum, GREATER_THAN, say.GREATER_THAN, (value, end) => value > end],
    [parameter.minimum, GREATER_THAN_OR_EQUAL_TO, say.AT_LEAST, (value, end) => value >= end],
    [parameter.exclusive_maximum, LESS_THAN, say.LESS_THAN, (value, end) => value < end],
    [parameter.maximum, LESS_THAN_OR_EQUAL_TO, say.AT_MOST, (value, end) => value <= end],
  ];
  return rows.flatMap(([end, kind, sentence, holds]) => {
    if (end === null) return [];
    const said = about(sentence, { end: shortest(end) });
    return [{ kind, end, said, holds: (value: number) => holds(value, end) }];
  });
}

function lengthFault(parameter: ParameterSpec, value: string, title: string): Fault | undefined {
  const count = [...value].length;
  if (count < (parameter.min_length ?? 0)) {
    return { kind: NULL_OR_EMPTY, said: about(say.EMPTY, { title }) };
  }
  const most = parameter.max_length;
  if (most === null || count <= most) return undefined;
  return { kind: NOT_IN_RANGE_VALUE, said: about(say.TOO_LONG, { title, count, most }) };
}

function choicesInWords(choices: readonly JsonValue[]): string {
  const words = choices.map((each) =>
    typeof each === "string" ? `'${each}'` : JSON.stringify(each),
  );
  const last = words.pop() ?? "";
  return words.length ? `${words.join(", ")} or ${last}` : last;
}

function shown(value: JsonValue): string {
  const text = typeof value === "number" ? shortest(value) : spaced(value);
  return text.length <= 80 ? text : `${[...text].slice(0, 77).join("")}...`;
}

/** JSON with a space behind commas and colons, as Python writes it. */
function spaced(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  const parts = Object.entries(value);
  return `{${parts.map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`).join(", ")}}`;
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
