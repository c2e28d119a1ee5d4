/** List of runs, sorted and grouped by metrics and parameters. */

import { describe, expect, test } from "vitest";

import type { ListedRun } from "../src/api/types.gen";
import { NEWEST_FIRST, arranged, cellText, ordered, sortedBy } from "../src/screens/runs/tableView";

const KEYS = ["metric:Valid loss", "parameter:train.epochs"];

function run(run_id: string, accuracy: number | null, ...values: (number | null)[]): ListedRun {
  const headline = accuracy === null ? null : { value: accuracy };
  return {
    run_id,
    name: run_id,
    created: Number(run_id),
    headline,
    values,
  } as unknown as ListedRun;
}

const RUNS = [run("3", null, 0.5, 8), run("2", 0.9, null, 4), run("1", 0.95, 0.25, 8)];

function idsBy(sort: string, descending: boolean): readonly string[] {
  const [group] = arranged(RUNS, { ...NEWEST_FIRST, sort, descending }, KEYS);
  return (group?.runs ?? []).map((run) => run.run_id);
}

describe("sorting", () => {
  test("by any column; rows without a value come last in either direction", () => {
    expect(idsBy("submitted", true)).toEqual(["3", "2", "1"]);
    expect(idsBy("result", true)).toEqual(["1", "2", "3"]);
    expect(idsBy("result", false)).toEqual(["2", "1", "3"]);
    expect(idsBy("metric:Valid loss", false)).toEqual(["1", "3", "2"]);
    expect(idsBy("metric:Valid loss", true)).toEqual(["3", "1", "2"]);
    expect(idsBy("metric:gone", true)).toEqual(["3", "2", "1"]);
  });

  test("the best value comes first, and last after a second click", () => {
    const byResult = sortedBy(NEWEST_FIRST, "result", true);
    expect(byResult).toMatchObject({ sort: "result", descending: true });
    expect(sortedBy(byResult, "result", true).descending).toBe(false);
    expect(sortedBy(NEWEST_FIRST, "metric:Valid loss", false).descending).toBe(false);
  });
});

test("groups contain their runs in the order of the table", () => {
  const view = { ...NEWEST_FIRST, group: "parameter:train.epochs" };
  const groups = arranged(RUNS, view, KEYS).map(({ name, runs }) => [
    name,
    runs.map((run) => run.run_id),
  ]);
  expect(groups).toEqual([
    ["8", ["3", "1"]],
    ["4", ["2"]],
  ]);
});

test("pinned columns come first, and values have units", () => {
  expect(ordered({ ...NEWEST_FIRST, columns: ["a", "b", "c"], pinned: ["c"] })).toEqual([
    "c",
    "a",
    "b",
  ]);
  expect(cellText("metric:Overall_Accuracy", 0.5)).toBe("50.0 %");
  expect(cellText("parameter:x.y", true)).toBe("true");
  expect(cellText("parameter:x.y", null)).toBe("–");
});
