/** Positions of errors in a node's own code, from a failed step or a problem. */

import type { JsonValue, Problem } from "./types";

export interface CodeFault {
  /** Line, counted from 1. */
  readonly line: number;
  /** Column, counted from 0; undefined for the whole line. */
  readonly column: number | undefined;
  readonly endColumn: number | undefined;
  readonly message: string;
}

/** Return those that refer to a line of the parameter's text. */
export function codeFaults(
  problems: readonly (Problem | null | undefined)[],
  parameter: string,
): readonly CodeFault[] {
  return problems.flatMap((problem) => {
    if (!problem || (problem.parameter !== null && problem.parameter !== parameter)) return [];
    const { line, column, end_column: end } = { ...problem.facts, ...problem.details };
    if (!isCount(line)) return [];
    const message = `${problem.message} ${problem.cure}`.trim();
    return [{ line, column: offsetOf(column), endColumn: offsetOf(end), message }];
  });
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** Convert a reported column, counted from 1, to an offset. */
function offsetOf(column: JsonValue | undefined): number | undefined {
  return isCount(column) ? Math.max(0, column - 1) : undefined;
}
