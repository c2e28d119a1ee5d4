/** Values to try: parsed as on the command line, stored in the document, counted. */

import { expect, test } from "vitest";

import { parseSpace, spaceText, spaceWords } from "../src/graph/spaces";
import {
  firstSpace,
  numTrials,
  objectiveOf,
  placeTitle,
  spaceOf,
  sweptTitles,
  trialsAtOnce,
  withSpace,
  withValues,
} from "../src/graph/sweep";
import { sweepOf } from "../src/graph/sweepOf";
import { setRunSettings } from "../src/graph/edits";
import type { ComputeTarget, RunSettings } from "../src/graph/types";
import type { ParameterSpec, SweepSpace } from "../src/graph/types.gen";
import { lesson, MODULES, pipeline } from "./cases";

function parameter(id: string): ParameterSpec {
  const spec = MODULES.byId.get("train_pytorch_model")?.parameters.find((own) => own.id === id);
  if (!spec) throw new Error(id);
  return spec;
}

const RATE = parameter("learning_rate");
const EPOCHS = parameter("epochs");
const choices = (...values: SweepSpace["choices"] & object): SweepSpace => ({
  kind: "choices",
  choices: values,
  low: null,
  high: null,
});

test.each([
  ["0.1, 0.2", choices(0.1, 0.2)],
  ["0.1..0.9", { kind: "linear", low: 0.1, high: 0.9 }],
  ["1e-3..1e-1:log", { kind: "log", low: 0.001, high: 0.1 }],
  ["1..9:int", { kind: "integer", low: 1, high: 9 }],
  ["-1..1.", { kind: "linear", low: -1, high: 1 }],
] as const)("%s is a space", (text, space) => {
  const parsed = parseSpace(text, RATE);
  expect(parsed).toEqual(space);
  expect(parsed && parseSpace(spaceText(parsed), RATE)).toEqual(space);
});

test.each([
  ["0.1, 0.2", "0.1, 0.2"],
  ["0.1..0.9", "0.1 to 0.9"],
  ["1e-3..1e-1:log", "0.001 to 0.1, logarithmic"],
  ["1..9:int", "1 to 9, whole numbers"],
])("%s is shown as people read it", (text, words) => {
  const parsed = parseSpace(text, RATE);
  expect(parsed && spaceWords(parsed)).toBe(words);
});

test.each(["", "1,,2", "1..", "..2", "1..2..3", "one", "1..2:cubic", "[1"])(
  "%s is none",
  (text) => {
    expect(parseSpace(text, RATE)).toBeUndefined();
  },
);

test("a range of a whole number has whole numbers, and text is taken as it is", () => {
  expect(parseSpace("1..9", EPOCHS)).toEqual({ kind: "integer", low: 1, high: 9 });
  const text = { ...RATE, type: "string" };
  expect(parseSpace("1..2, b c", text)).toEqual(choices("1..2", "b c"));
});

test("the first values are around the current one and within the bounds", () => {
  expect(firstSpace(EPOCHS, 4)).toEqual(choices(2, 4, 8));
  expect(firstSpace(EPOCHS, 1)).toEqual(choices(1, 2));
  expect(firstSpace(RATE, 0.01)).toEqual({ kind: "log", low: 0.001, high: 0.1 });
  expect(firstSpace({ ...RATE, type: "boolean" }, true)).toEqual(choices(true, false));
  expect(firstSpace({ ...RATE, choices: ["a", "b"] }, "a")).toEqual(choices("a", "b"));
});

test("spaces are set, counted and removed", () => {
  const whole = pipeline(["train:train_pytorch_model", "train2:train_pytorch_model"]);
  expect(sweepOf(whole)).toBeUndefined();
  const one = withSpace(whole, "train.epochs", choices(1, 2, 3));
  const two = withSpace(one, "train.batch_size", { kind: "integer", low: 4, high: 5 });
  expect(spaceOf(two, "train.epochs")).toEqual(choices(1, 2, 3));
  expect(sweptTitles(two, MODULES, "train")).toBe("Epochs, Batch size");
  expect(sweptTitles(two, MODULES, "train2")).toBe("");
  expect(placeTitle(two, MODULES, "train.epochs")).toBe("Train PyTorch Model 1, Epochs");
  expect(placeTitle(two, MODULES, "gone.value")).toBe("gone, value");
  const sweep = sweepOf(two);
  expect(sweep && numTrials(sweep)).toBe(6);
  expect(sweep && numTrials({ ...sweep, max_trials: 4 })).toBe(4);
  const ranged = sweepOf(withSpace(two, "train.momentum", { kind: "linear", low: 0, high: 1 }));
  expect(ranged && numTrials(ranged)).toBe(20);
  const none = withSpace(withSpace(two, "train.epochs", null), "train.batch_size", null);
  expect(none).toEqual(whole);
});

function target(changes: Partial<ComputeTarget> = {}): ComputeTarget {
  const limits = { max_nodes: 1, processes_per_node: 4, memory_bytes: null, simulated: false };
  const facts = { name: "local", kind: "local", gpus: 2, price_per_hour: null };
  return { ...facts, ...limits, is_preemptible: false, ...changes };
}

test.each<[number, number, Partial<ComputeTarget>, Partial<RunSettings>]>([
  [3, 3, { gpus: 0 }, {}],
  [1, 1, {}, {}],
  [2, 2, {}, {}],
  [3, 2, {}, {}],
  [3, 2, {}, { steps_per_gpu: 4 }],
  [3, 1, {}, { process_count_per_node: 2 }],
  [3, 1, {}, { process_count_per_node: 4 }],
  [3, 3, { kind: "ray" }, {}],
  [3, 3, { name: "other" }, {}],
])("of %i parallel trials %i compute at once: %o %o", (parallel, expected, changes, settings) => {
  const whole = withSpace(lesson("01-digits"), "train.epochs", choices(1, 2, 3));
  const set = setRunSettings(whole, "train", settings);
  const sweep = sweepOf(set);
  if (!sweep) throw new Error("no sweep");
  const run = { ...sweep, parallel };
  expect(trialsAtOnce(set, MODULES, run, [target(changes)])).toBe(expected);
  const early = withSpace(lesson("01-digits"), "train.epochs", choices(1));
  expect(trialsAtOnce(early, MODULES, { ...run, ...sweepOf(early), parallel }, [target()])).toBe(1);
});

test("the values of a trial are set at their nodes", () => {
  const whole = pipeline(["train:train_pytorch_model", "other:train_pytorch_model"]);
  const changed = withValues(whole, { "train.epochs": 3 });
  expect(changed.nodes[0]?.parameters).toEqual({ epochs: 3 });
  expect(changed.nodes[1]).toBe(whole.nodes[1]);
});

test("each metric has its own goal, whatever the one before had", () => {
  expect(objectiveOf("train.Valid loss")).toEqual({
    node: "train",
    metric: "Valid loss",
    goal: "minimize",
  });
  expect(objectiveOf("evaluate.Overall_Accuracy")?.goal).toBe("maximize");
  expect(objectiveOf("train")).toBeNull();
});
