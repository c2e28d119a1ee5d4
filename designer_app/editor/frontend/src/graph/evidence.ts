/** The evidence in a problem's details, as `modules/errors.py` makes it; checked, for replays too. */

import type { JsonValue, Problem } from "./types";

export interface Evidence {
  readonly title: string;
  readonly rows: readonly (readonly [string, string])[];
  /** How many rows there were before they were cut. */
  readonly total: number;
}

const MOST = 10;

export function evidenceOf(problem: Problem): Evidence | undefined {
  const { title, rows, num_rows } = problem.details ?? {};
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
