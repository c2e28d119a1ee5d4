/** Problems as values, with the codes and names that `pipelines/problems.py` gives them. */

import type { JsonValue, Problem } from "./types";

export interface Kind {
  readonly code: string;
  readonly name: string;
}

const kind = (code: string, name: string): Kind => ({ code, name });

export const NULL_OR_EMPTY = kind("0003", "NullOrEmpty");
export const GREATER_THAN = kind("0004", "GreaterThan");
export const GREATER_THAN_OR_EQUAL_TO = kind("0005", "GreaterThanOrEqualTo");
export const LESS_THAN = kind("0006", "LessThan");
export const LESS_THAN_OR_EQUAL_TO = kind("0007", "LessThanOrEqualTo");
export const NOT_IN_RANGE_VALUE = kind("0008", "NotInRangeValue");
export const UNKNOWN_MODULE = kind("3001", "UnknownModule");
export const MODULE_VERSION_MISSING = kind("3002", "ModuleVersionMissing");
export const PIPELINE_HAS_CYCLE = kind("3003", "PipelineHasCycle");
export const PORT_TYPE_MISMATCH = kind("3004", "PortTypeMismatch");
export const UNKNOWN_NODE = kind("3005", "UnknownNode");
export const UNKNOWN_PORT = kind("3006", "UnknownPort");
export const INPUT_LINKED_TWICE = kind("3007", "InputLinkedTwice");
export const DUPLICATE_ID = kind("3008", "DuplicateId");
export const WRONG_PARAMETER_TYPE = kind("3009", "WrongParameterType");
export const UNKNOWN_PARAMETER = kind("3010", "UnknownParameter");
export const NODE_COUNT_TOO_LARGE = kind("3011", "NodeCountTooLarge");
export const PROCESS_COUNT_TOO_LARGE = kind("3012", "ProcessCountTooLarge");
export const UNKNOWN_COMPUTE_TARGET = kind("3019", "UnknownComputeTarget");
export const NOT_DISTRIBUTED = kind("3020", "NotDistributed");
export const NOT_A_PIPELINE = kind("3021", "NotAPipelineDocument");
export const INVALID_DOCUMENT = kind("3024", "InvalidDocument");
export const EMPTY_PIPELINE = kind("3027", "EmptyPipeline");

export interface Place {
  readonly node?: string;
  readonly port?: string;
  readonly parameter?: string;
  readonly severity?: "error" | "warning";
  readonly remedy?: { readonly [key: string]: JsonValue } | undefined;
}

export function problemOf(of: Kind, message: string, cure: string, place: Place = {}): Problem {
  return {
    code: of.code,
    name: of.name,
    severity: place.severity ?? "error",
    node: place.node ?? null,
    port: place.port ?? null,
    parameter: place.parameter ?? null,
    message,
    cure,
    remedy: place.remedy ?? null,
    details: null,
  };
}

/** An edit that makes no sense: nothing was changed. */
export class EditRefused extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((each) => `${each.message} ${each.cure}`).join("\n"));
    this.name = "EditRefused";
  }
}

export function refuse(of: Kind, message: string, cure: string, place: Place = {}): never {
  throw new EditRefused([problemOf(of, message, cure, place)]);
}

/** At most ten items in one phrase, then how many more: `a, b and 312 more`. */
export function examples(items: readonly string[]): string {
  const shown = items.slice(0, 10).join(", ");
  const rest = items.length - 10;
  return rest > 0 ? `${shown} and ${rest.toLocaleString("en-US")} more` : shown;
}

/** `Did you mean 'epochs'?`, or the names there are when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const names = [...known].sort();
  const near = names
    .map((name) => ({ name, distance: distance(word, name) }))
    .filter((each) => each.distance <= Math.max(1, Math.floor(each.name.length * 0.4)))
    .sort((one, other) => one.distance - other.distance)[0];
  if (near) return `Did you mean '${near.name}'?`;
  if (names.length === 0) return "There is none: remove it.";
  return `Choose one of ${examples(names)}.`;
}

/** How many letters must be changed, added or dropped (Levenshtein). */
function distance(one: string, other: string): number {
  const [a, b] = [one.slice(0, 100), other.slice(0, 100)];
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
