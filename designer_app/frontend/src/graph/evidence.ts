/** Evidence in a problem's details, as made by `modules/errors.py`; validated, also for replays. */

import type { JsonValue, Problem } from "./types";

export interface Evidence {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
  /** Number of rows before truncation. */
  readonly total: number;
}

const MOST = 10;

export function evidenceOf(problem: Problem): Evidence | undefined {
  return tableIn(problem.details);
}

/** Return the secondary errors of other ranks after the first failure. */
export function echoesOf(problem: Problem): Evidence | undefined {
  return tableIn(problem.details?.["echoes"]);
}

/** Return the rank that failed first, of several. */
export function leadingRankOf(problem: Problem | null | undefined): number | undefined {
  const rank = problem?.details?.["rank"];
  return typeof rank === "number" ? rank : undefined;
}

function tableIn(details: JsonValue | undefined): Evidence | undefined {
  if (!isObject(details)) return undefined;
  const { title, rows, num_rows } = details;
  if (typeof title !== "string" || !Array.isArray(rows)) return undefined;
  const pairs = rows.flatMap((row) => pairIn(row) ?? []).slice(0, MOST);
  if (pairs.length === 0) return undefined;
  return { title, rows: pairs, total: typeof num_rows === "number" ? num_rows : pairs.length };
}

function pairIn(row: JsonValue): [readonly [string, string]] | undefined {
  if (!Array.isArray(row)) return undefined;
  const [name, value] = row;
  return typeof name === "string" && typeof value === "string" ? [[name, value]] : undefined;
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
