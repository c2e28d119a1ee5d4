/** State of a sub-pipeline's node, summed over its inner nodes. */

import { describe, expect, test } from "vitest";

import { stepAt } from "../src/graph/paths";
import { NEW_STEP } from "../src/graph/runState";
import { problemOf, UNKNOWN_NODE } from "../src/graph/problems";
import { NO_NODE_DRAWN } from "../src/graph/sentences/edits.gen";
import { about } from "../src/graph/sentences/sentence";
import type { StepState } from "../src/graph/types";

const problem = problemOf(UNKNOWN_NODE, about(NO_NODE_DRAWN, { name: "front" }));

function step(status: string, started: number | null, finished: number | null): StepState {
  return { ...NEW_STEP, status, started, finished };
}

describe("the sum of the inner steps", () => {
  test.each([
    ["all wait", [step("queued", null, null), step("queued", null, null)], "queued", null, null],
    ["between two", [step("completed", 1, 3), step("queued", null, null)], "running", 1, null],
    ["one runs", [step("completed", 1, 3), step("running", 3, null)], "running", 1, null],
    ["all are done", [step("completed", 1, 3), step("completed", 3, 7)], "completed", 1, 7],
    ["some were reused", [step("reused", null, null), step("completed", 3, 7)], "completed", 3, 7],
    ["all were reused", [step("reused", 1, 1), step("reused", 1, 1)], "reused", 1, 1],
  ])("%s", (_, [one, other], status, started, finished) => {
    const steps = { "front/a": one as StepState, "front/deep/b": other as StepState };
    expect(stepAt(steps, "front")).toMatchObject({ status, started, finished });
    expect(stepAt(steps, "front/deep")?.status).toBe(other?.status);
    expect(stepAt(steps, "fro")).toBeUndefined();
  });

  test("the first failure is reported", () => {
    const failed = { ...step("failed", 1, 2), problem };
    const steps = { "front/a": failed, "front/b": step("skipped", null, 2) };
    expect(stepAt(steps, "front")).toMatchObject({ status: "failed", problem });
  });
});
