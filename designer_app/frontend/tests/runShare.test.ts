/** Progress of a run counts the work that is done now, by its estimated time. */

import { describe, expect, test } from "vitest";

import { numReused, shareDone } from "../src/graph/runShare";
import { secondsLeft } from "../src/graph/timeLeft";
import { NEW_STEP } from "../src/graph/runState";
import type { StepState } from "../src/graph/types";
import { pipeline } from "./cases";

const step = (status: StepState["status"], progress: StepState["progress"] = null): StepState => ({
  ...NEW_STEP,
  status,
  progress,
});
const half = { done: 5, total: 10, unit: "epochs" };

describe("the completed share", () => {
  test("is not raised by reused and skipped nodes", () => {
    const reused = { a: step("reused"), b: step("reused"), c: step("skipped") };
    expect(shareDone({ ...reused, train: step("preparing"), score: step("not started") })).toBe(0);
    expect(shareDone({ ...reused, train: step("running", half) })).toBe(0.5);
    expect(shareDone({ ...reused, train: step("completed") })).toBe(1);
    expect(numReused(reused)).toBe(2);
  });

  test("counts nodes by their estimated time", () => {
    const steps = { split: step("completed"), train: step("running", half), score: step("queued") };
    expect(shareDone(steps)).toBeCloseTo(1.5 / 3);
    expect(shareDone(steps, { split: 1, train: 97, score: 2 })).toBeCloseTo(0.495);
  });

  test("gives a node without an estimate the mean of the others", () => {
    const steps = { split: step("completed"), train: step("queued"), score: step("queued") };
    expect(shareDone(steps, { split: 10, train: 50 })).toBeCloseTo(10 / 90);
  });

  test("does not count preparations of a node, such as decoding its images", () => {
    const decoded = step("running", { done: 9, total: 10, unit: "images", is_preparation: true });
    expect(shareDone({ split: step("completed"), train: decoded }, { split: 1, train: 9 })).toBe(
      0.1,
    );
    expect(secondsLeft({ train: decoded }, { train: 9 }, null)).toBe(9);
  });

  test("is complete if everything was reused, and 0 before the first event", () => {
    expect(shareDone({ a: step("reused") })).toBe(1);
    expect(shareDone({})).toBe(0);
  });
});

describe("the remaining time", () => {
  test("is the one reported by the running node, and estimates of those to come", () => {
    const running = step("running", { ...half, seconds_left: 30 });
    const steps = { split: step("completed"), train: running, score: step("not started") };
    expect(secondsLeft(steps, { train: 100, score: 5 }, null)).toBe(35);
  });

  test("is a share of the estimate if the running node reports none", () => {
    expect(secondsLeft({ train: step("running", half) }, { train: 100 }, null)).toBe(50);
  });

  test("is unknown while a node to come has no estimate", () => {
    const steps = { train: step("running", half), score: step("queued") };
    expect(secondsLeft(steps, { train: 9 }, null)).toBe(null);
  });

  test("is that of the longest chain: nodes beside it run at the same time", () => {
    const document = pipeline(
      ["start:constant", "short:constant", "long:add", "end:add"],
      ["start.value -> long.a", "short.value -> end.a", "long.sum -> end.b"],
    );
    const waiting = step("not started");
    const steps = { start: step("completed"), short: waiting, long: waiting, end: waiting };
    const seconds = { start: 9, short: 20, long: 30, end: 5 };
    expect(secondsLeft(steps, seconds, document)).toBe(35);
    expect(secondsLeft(steps, seconds, document, new Set(["short", "long"]))).toBe(55);
    const both = { ...steps, short: step("running", half), long: step("running") };
    expect(secondsLeft(both, seconds, document, new Set(["short", "long"]))).toBe(35);
  });
});
