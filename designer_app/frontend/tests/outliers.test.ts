/** Curves with values far above the others: cases shared with Python. */

import { expect, test } from "vitest";

import { clipLimit } from "../src/graph/outliers";
import { load } from "./cases";

const cases = load<readonly { values: readonly number[]; limit: number | null }[]>("outliers.json");

test.each(cases)("$values is shown up to $limit", ({ values, limit }) => {
  expect(clipLimit(values)).toBe(limit);
});

test("what is no number is left out", () => {
  expect(clipLimit([NaN, Infinity, 2, 1, 1.5, 1.2])).toBeNull();
});
