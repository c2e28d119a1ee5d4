/** Epochs of successive halving: the cases of `tests/pipelines/sweeps/test_pruning.py`. */

import { expect, test } from "vitest";

import { rungs, trainedEpochs, trainedShare } from "../src/graph/halving";
import type { SweepPruning, SweepSettings } from "../src/graph/types.gen";
import { load, MODULES, pipeline } from "./cases";

interface Case {
  readonly first_epoch: number;
  readonly factor: number;
  readonly epochs: number;
  readonly trials: number;
  readonly rungs: readonly number[];
  readonly trained: number;
}

test.each(load<readonly Case[]>("halving.json"))(
  "$trials trials of $epochs epochs train $trained epochs",
  (own) => {
    expect(rungs(own, own.epochs)).toEqual(own.rungs);
    expect(trainedEpochs(own.trials, own, own.epochs)).toBe(own.trained);
  },
);

test("only halving saves a share that is known before the sweep", () => {
  const bare = pipeline(["train:train_pytorch_model"]);
  const whole = {
    ...bare,
    nodes: bare.nodes.map((node) => ({ ...node, parameters: { epochs: 6 } })),
  };
  const sweep: SweepSettings = {
    parameters: { "train.momentum": { kind: "linear", low: 0, high: 1 } },
    objective: { node: "train", metric: "Valid loss", goal: "minimize" },
    strategy: "auto",
    max_trials: null,
    max_minutes: 0,
    parallel: 1,
    seed: 0,
  };
  const pruned = (kind: SweepPruning["kind"]): SweepSettings => ({
    ...sweep,
    pruning: { kind, first_epoch: 1, factor: 3, slack: 0.1 },
  });
  expect(trainedShare(whole, MODULES, sweep)).toBe(1);
  expect(trainedShare(whole, MODULES, pruned("median"))).toBe(1);
  expect(trainedShare(whole, MODULES, pruned("halving"))).toBeCloseTo(38 / 120);
  expect(trainedShare(bare, MODULES, pruned("halving"))).toBeCloseTo(36 / 100); // 5 by default
  expect(trainedShare(pipeline(["train:resnet"]), MODULES, pruned("halving"))).toBe(1);
  expect(trainedShare(pipeline([]), MODULES, pruned("halving"))).toBe(1);
});
