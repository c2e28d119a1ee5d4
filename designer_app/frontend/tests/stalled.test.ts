/** Stalled step: marked until it makes progress, and never because of an earlier attempt. */

import { describe, expect, it } from "vitest";

import { DEFAULT_RUN_SETTINGS, setRunSettings } from "../src/graph/edits";
import { apply, fold, stallOf } from "../src/graph/runState";
import type { PipelineNode, RunEvent } from "../src/graph/types";
import { pillWords } from "../src/ui/StatusPill";
import { pipeline } from "./cases";

const event = (kind: string, data: RunEvent["data"] = {}): RunEvent => ({
  id: 1,
  time: 1,
  node: "train",
  kind,
  data,
});
const PROGRESS = { done: 3, total: 9, unit: "iterations", epoch: 1, epochs: 3 };
const STALL = { since: 5, ranks: { "0": "epoch 1/3", "1": "" } };
const STALLED = fold([event("StepProgress", PROGRESS), event("StepStalled", STALL)]);

describe("a stalled step", () => {
  it("is marked, with the last output of each rank", () => {
    expect(stallOf(STALLED.steps["train"])).toEqual(STALL);
    expect(pillWords(STALLED.steps["train"])).toBe("stalled");
  });

  it.each([
    event("StepWentOn"),
    event("StepProgress", PROGRESS),
    event("StepProgress", { ...PROGRESS, rank: 1 }),
    event("StepQueued", { key: "k" }),
    event("StepFailed", { problem: null }),
  ])("is no longer after $kind", (next) => {
    expect(stallOf(apply(STALLED, next).steps["train"])).toBeUndefined();
  });
});

describe("a step of several trainings", () => {
  it.each([
    [0, "trial 1 / 4"],
    [1.7, "trial 2 / 4"],
    [4, "trial 4 / 4"],
  ])("names its trial after %d of them", (done, words) => {
    const progress = { ...PROGRESS, done, total: 4, unit: "trials" };
    const steps = fold([event("StepProgress", progress)]).steps;
    expect(pillWords(steps["train"])).toBe(words);
  });
});

describe("a stall limit", () => {
  const node = {
    id: "train",
    module: "train_pytorch_model",
    run_settings: DEFAULT_RUN_SETTINGS,
  } as PipelineNode;
  const document = { ...pipeline([]), nodes: [node] };

  it("is written only if it is set", () => {
    const limited = setRunSettings(document, "train", { stall_limit_minutes: 2.5 });
    expect(limited.nodes[0]?.run_settings).toEqual({
      ...DEFAULT_RUN_SETTINGS,
      stall_limit_minutes: 2.5,
    });
    const free = setRunSettings(limited, "train", { stall_limit_minutes: null });
    expect(Object.keys(free.nodes[0]?.run_settings ?? {})).not.toContain("stall_limit_minutes");
  });
});
