/** Lessons: when a step is done, which one opens next, and what a browser stores. */

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { LessonGuide, LessonStep } from "../src/api/types.gen";
import { isFirstOffer, keepMarks, readMarks } from "../src/browser/lessonMarks";
import { setParameter, setRunSettings } from "../src/graph/edits";
import { NEW_STEP } from "../src/graph/runState";
import { withSpace } from "../src/graph/sweep";
import type { PipelineDocument, StepState } from "../src/graph/types";
import { type LessonScene, isConfirmedByUser, isStepDone } from "../src/store/lessonChecks";
import { advanced, completed } from "../src/view/lessonProgress";
import { CATALOG, pipeline } from "./cases";

const DOCUMENT = pipeline(
  ["one:constant", "two:constant", "sum:add"],
  ["one.output -> sum.a", "two.output -> sum.b"],
);
const SCENE: LessonScene = {
  document: DOCUMENT,
  catalog: CATALOG,
  run: null,
  selected: null,
  tab: "settings",
  looked: new Set(),
};
const COMPLETED: StepState = { ...NEW_STEP, status: "completed" };
const REUSED: StepState = { ...NEW_STEP, status: "reused" };

type Check = LessonStep["checks"][number];

function step(...checks: Check[]): LessonStep {
  return { task: "Do it.", hint: "There.", after: "Done.", checks, show: { node: "sum" } };
}

function holds(check: Check, scene: Partial<LessonScene> = {}): boolean {
  return isStepDone(step(check), { ...SCENE, ...scene });
}

function withValue(value: number): PipelineDocument {
  return setParameter(DOCUMENT, CATALOG, "one", "value", value);
}

describe("a check", () => {
  const value = { kind: "parameter", node: "one", parameter: "value" } as const;

  test("compares the value of a parameter, including its default", () => {
    const preset = CATALOG.byId.get("constant")?.parameters[0]?.default as number;
    expect(holds({ ...value, comparison: "is", value: preset })).toBe(true);
    expect(holds({ ...value, comparison: "is not", value: preset })).toBe(false);
    const document = withValue(8);
    expect(holds({ ...value, comparison: "is", value: 8 }, { document })).toBe(true);
    expect(holds({ ...value, comparison: "at least", value: 8 }, { document })).toBe(true);
    expect(holds({ ...value, comparison: "at least", value: 9 }, { document })).toBe(false);
    expect(holds({ ...value, comparison: "at most", value: 7 }, { document })).toBe(false);
    expect(holds({ ...value, node: "gone", comparison: "is not", value: 1 })).toBe(false);
    expect(holds({ ...value, comparison: "begins with", value: ["8"] }, { document })).toBe(false);
  });

  test("accepts any node of a module, or only one that feeds an input", () => {
    const document = withValue(8);
    const any = { ...value, node: "module:constant", comparison: "is", value: 8 } as const;
    expect(holds(any, { document })).toBe(true);
    expect(holds({ ...any, feeds: "sum.a" }, { document })).toBe(true);
    expect(holds({ ...any, feeds: "sum.b" }, { document })).toBe(false);
  });

  test("reads what a sweep varies", () => {
    const space = { kind: "choices", choices: [1, 2], low: null, high: null } as const;
    const document = withSpace(DOCUMENT, "one.value", space);
    const varied = { kind: "varied", node: "one", parameter: "value" } as const;
    expect(holds(varied)).toBe(false);
    expect(holds(varied, { document })).toBe(true);
    expect(holds({ ...varied, node: "two" }, { document })).toBe(false);
  });

  test("of an action elsewhere is never held, only marked as done", () => {
    const confirmed = { kind: "confirmed" } as const;
    expect(holds(confirmed, { selected: "sum", tab: "result" })).toBe(false);
    expect(isConfirmedByUser(step(confirmed))).toBe(true);
    expect(isConfirmedByUser(step({ kind: "ran", node: "sum" }))).toBe(false);
  });

  test("reads links and run settings", () => {
    const link = { kind: "link", source: "one.output", target: "sum.a" } as const;
    expect(holds(link)).toBe(true);
    expect(holds({ ...link, target: "sum.b" })).toBe(false);
    const setting = { kind: "run setting", node: "sum", setting: "node_count" } as const;
    expect(holds({ ...setting, comparison: "is", value: 1 })).toBe(true);
    const document = setRunSettings(DOCUMENT, "sum", { node_count: 3 });
    expect(holds({ ...setting, comparison: "is", value: 1 }, { document })).toBe(false);
  });

  test("of a run reads the submitted pipeline", () => {
    const run = { document: withValue(8), steps: { sum: COMPLETED, one: REUSED } };
    const of = [{ ...value, comparison: "is", value: 8 }] as const;
    expect(holds({ kind: "ran", node: "sum" })).toBe(false);
    expect(holds({ kind: "ran", node: "sum", of }, { run })).toBe(true);
    expect(holds({ kind: "ran", node: "two" }, { run })).toBe(false);
    expect(holds({ kind: "ran", node: "sum", reused: "one" }, { run })).toBe(true);
    expect(holds({ kind: "ran", node: "sum", reused: "sum" }, { run })).toBe(false);
    const old = { ...run, document: DOCUMENT };
    expect(holds({ kind: "ran", node: "sum", of }, { run: old, document: run.document })).toBe(
      false,
    );
  });

  test("notices inspected outputs", () => {
    const shown = { kind: "shown", node: "sum", tab: "result" } as const;
    expect(holds(shown, { selected: "sum", tab: "result" })).toBe(true);
    expect(holds(shown, { selected: "sum" })).toBe(false);
    expect(holds(shown, { looked: new Set(["sum.output"]) })).toBe(true);
    expect(holds({ ...shown, tab: "logs" }, { looked: new Set(["sum.output"]) })).toBe(false);
    const looked = { kind: "looked", node: "sum", port: "output" } as const;
    expect(holds(looked, { looked: new Set(["sum.output"]) })).toBe(true);
    expect(holds(looked)).toBe(false);
    expect(holds(looked, { selected: "sum", tab: "try" })).toBe(true);
  });
});

describe("a lesson", () => {
  const eight = step({
    kind: "parameter",
    node: "one",
    parameter: "value",
    comparison: "is",
    value: 8,
  });
  const guide: LessonGuide = {
    minutes: 2,
    level: "beginner",
    steps: [
      step({ kind: "ran", node: "sum" }),
      eight,
      step({ kind: "looked", node: "sum", port: "output" }),
    ],
  };
  const begun = { done: new Set<number>(), current: 0, latest: null };

  test("checks the open step, and later steps that already hold", () => {
    expect(advanced(begun, guide, { ...SCENE, document: withValue(8) })).toBe(begun);
    const run = { document: DOCUMENT, steps: { sum: COMPLETED } };
    expect(advanced(begun, guide, { ...SCENE, run })).toEqual({
      done: new Set([0]),
      current: 1,
      latest: 0,
    });
    const both = advanced(begun, guide, { ...SCENE, run, document: withValue(8) });
    expect(both).toEqual({ done: new Set([0, 1]), current: 2, latest: 1 });
  });

  test("completes a step that the user marks as done, and opens the next one", () => {
    const byHand = { ...guide, steps: [step({ kind: "confirmed" }), eight] };
    expect(advanced(begun, byHand, SCENE)).toBe(begun);
    const marked = completed(begun, byHand, 0);
    expect(marked).toEqual({ done: new Set([0]), current: 1, latest: 0 });
    expect(completed(marked, byHand, 1).current).toBe(null);
  });

  test("ends when all steps are done, and returns to skipped ones", () => {
    const last = { done: new Set([1]), current: 2, latest: null };
    const scene = { ...SCENE, looked: new Set(["sum.output"]) };
    const back = advanced(last, guide, scene);
    expect(back.current).toBe(0);
    const run = { document: DOCUMENT, steps: { sum: COMPLETED } };
    expect(advanced(back, guide, { ...scene, run }).current).toBe(null);
  });
});

describe("progress stored in a browser", () => {
  const kept = new Map<string, string>();

  beforeEach(() =>
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    }),
  );
  afterEach(() => {
    vi.unstubAllGlobals();
    kept.clear();
  });

  test("belongs to one pipeline, not to another of the same name", () => {
    keepMarks("lesson-01-digits", 12.5, [0, 2]);
    expect(readMarks("lesson-01-digits", 12.5)).toEqual([0, 2]);
    expect(readMarks("lesson-01-digits", 13)).toEqual([]);
    expect(readMarks("lesson-01-digits-2", 12.5)).toEqual([]);
    kept.set("pd-lesson.lesson-01-digits", "{broken");
    expect(readMarks("lesson-01-digits", 12.5)).toEqual([]);
  });

  test("the tour is offered once, and never without storage", () => {
    expect([isFirstOffer(), isFirstOffer()]).toEqual([true, false]);
    vi.stubGlobal("localStorage", undefined);
    expect(isFirstOffer()).toBe(false);
  });
});
