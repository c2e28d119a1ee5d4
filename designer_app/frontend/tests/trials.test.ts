/** Trials of a sweep as rows of the table of runs. */

import { expect, test } from "vitest";

import { EVERYTHING } from "../src/api/history";
import type { ListedRun, SweepReport, SweepTrial } from "../src/api/types.gen";
import { csvOf } from "../src/screens/runs/csv";
import { BY_NUMBER, arranged, cellText, valueOf } from "../src/screens/runs/tableView";
import {
  areSeedsVaried,
  fetchTrials,
  isMatch,
  trialColumns,
  trialItems,
} from "../src/screens/runs/trials";
import type { Api } from "../src/api/client";

function trial(number: number, facts: Partial<SweepTrial> = {}): SweepTrial {
  const usual = { run: `r${number}`, state: "completed", objective: number / 8, reason: null };
  const values = { "train.rate": 0.012345678, ...facts.values };
  return { number, created: 100, finished: 101, ...usual, ...facts, values } as SweepTrial;
}

const REPORT = {
  pipeline_id: "p",
  best: 1,
  settings: {
    parameters: { "train.rate": {} },
    objective: { node: "score", metric: "Overall_Accuracy", goal: "maximize" },
  },
  trials: [
    trial(0),
    trial(1),
    trial(2, { state: "stopped", objective: 1 }),
    trial(3, { run: null, state: "failed", objective: null, reason: "=Out of memory" }),
    trial(10, { values: { "train.rate": 16, "train.random_seed": 2 } }),
  ],
} as unknown as SweepReport;

function run(id: string): ListedRun {
  const facts = { name: `${id}: rate`, tags: ["kept"], note: "", seconds: 4, started: 100 };
  return { run_id: id, status: "completed", headline: null, ...facts } as unknown as ListedRun;
}

const ITEMS = trialItems(REPORT, ["r0", "r1", "r10"].map(run));
const TITLES = { sweep: "s", titles: { "train.rate": "Learning rate" }, numbers: null };
const COLUMNS = trialColumns(TITLES, areSeedsVaried(ITEMS));

test("every trial is a row, also one whose run was deleted or never submitted", () => {
  expect(ITEMS.map(({ trial }) => trial?.number)).toEqual([0, 1, 2, 3, 10]);
  expect(ITEMS.map(({ trial }) => trial?.hasRun)).toEqual([true, true, false, false, true]);
  expect(ITEMS.map(({ status }) => status)).toContain("stopped");
  expect(new Set(ITEMS.map(({ run_id }) => run_id)).size).toBe(5);
});

test("the result is that of the sweep, and only its best trial is marked", () => {
  expect(ITEMS.map(({ headline }) => headline?.text)).toEqual([
    "0.0 %",
    "12.5 %",
    "100.0 %",
    undefined,
    "1.25",
  ]);
  expect(ITEMS.filter(({ trial }) => trial?.isBest).map(({ run_id }) => run_id)).toEqual(["r1"]);
});

test("varied parameters and seeds are columns that sort", () => {
  expect(COLUMNS.map(({ label }) => label)).toEqual(["Learning rate", "Other seeds"]);
  const [rate = { key: "" }, seeds = { key: "" }] = COLUMNS;
  const numbers = (sort: string): unknown[] => {
    const [group] = arranged(ITEMS, { ...BY_NUMBER, sort }, []);
    return (group?.runs ?? []).map(({ trial }) => trial?.number);
  };
  expect(numbers("name")).toEqual([0, 1, 2, 3, 10]);
  expect(numbers(rate.key)[4]).toBe(10);
  expect(numbers("result")).toEqual([0, 1, 2, 10, 3]);
  expect(ITEMS.map((item) => cellText(rate.key, valueOf(item, rate.key, [])))).toContain("0.01235");
  expect(ITEMS.map((item) => valueOf(item, seeds.key, []))[4]).toBe("random_seed 2");
});

test("trials are filtered by their own states, by words, tags and the selected lines", () => {
  const numbersFor = (filter: object, numbers: number[] | null = null): unknown[] =>
    ITEMS.filter((item) => isMatch(item, { ...EVERYTHING, ...filter }, numbers)).map(
      ({ trial }) => trial?.number,
    );
  expect(numbersFor({})).toEqual([0, 1, 2, 3, 10]);
  expect(numbersFor({ status: "stopped" })).toEqual([2]);
  expect(numbersFor({ text: "MEMORY out" })).toEqual([3]);
  expect(numbersFor({ tag: "kept" })).toEqual([0, 1, 10]);
  expect(numbersFor({ tag: "kept" }, [1, 2])).toEqual([1]);
});

test("CSV has unrounded values, and no formulas", () => {
  const lines = csvOf(ITEMS, COLUMNS, []).split("\r\n");
  expect(lines[0]).toBe(
    "Trial,Id,Metric,Result,Learning rate,Other seeds,Status,Seconds,Started,Reason",
  );
  expect(lines[2]).toBe("1,r1,Accuracy,0.125,0.012345678,,completed,4,1970-01-01T00:01:40.000Z,");
  expect(lines[4]).toBe("3,,,,0.012345678,,failed,,,'=Out of memory");
  expect(csvOf([{ ...run('a"b,c'), trial: undefined } as never], [], [])).toContain('"a""b,c"');
});

test("a sweep of more trials than a page of runs is read to its end", async () => {
  const asked: string[] = [];
  const runs = Array.from({ length: 2300 }, (_, number) => run(`r${number}`));
  const report = { ...REPORT, trials: runs.map((_, number) => trial(number)) };
  const api = {
    ask: (route: string, call: { query?: Record<string, string> }) => {
      if (route !== "GET /runs") return Promise.resolve(report);
      const { offset = "0", limit = "0", sweep = "" } = call.query ?? {};
      asked.push(`${sweep} ${offset}`);
      const page = runs.slice(Number(offset), Number(offset) + Number(limit));
      return Promise.resolve({ runs: page, total: runs.length, experiments: [], tags: [] });
    },
  } as unknown as Api;
  const page = await fetchTrials(api, "s", []);
  expect(asked).toEqual(["s 0", "s 1000", "s 2000"]);
  expect(page.total).toBe(2300);
  expect(page.runs.every((row) => "trial" in row)).toBe(true);
});
