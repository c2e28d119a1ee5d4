/** A trial of a sweep runs the varied nodes, also if the outputs for the current values exist. */

import { expect, test } from "vitest";

import type { NodeForecast, RunForecast } from "../src/api/types.gen";
import { withSpace } from "../src/graph/sweep";
import { sweepOf } from "../src/graph/sweepOf";
import type { PipelineDocument } from "../src/graph/types";
import type { SweepSettings } from "../src/graph/types.gen";
import { hasEstimate, trialForecast } from "../src/view/trialForecast";
import { lesson } from "./cases";

const DIGITS = lesson("01-digits");
const LAST = { train: 56, score: 2, evaluate: 3, convert: 7 } as Record<string, number>;

function swept(place: string): readonly [PipelineDocument, SweepSettings] {
  const space = { kind: "choices", choices: [1, 2], low: null, high: null } as const;
  const document = withSpace(DIGITS, place, space);
  const sweep = sweepOf(document);
  if (!sweep) throw new Error(place);
  return [document, sweep];
}

function reusedForecast(): RunForecast {
  const nodes = DIGITS.nodes.map(({ id }) => ({
    node: id,
    reused: true,
    seconds: 0,
    last: id in LAST ? { seconds: LAST[id] } : null,
  }));
  return {
    nodes: nodes as unknown as readonly NodeForecast[],
    totals: {
      seconds: 0,
      critical_path_seconds: 0,
      memory_bytes: null,
      nodes_unknown: 0,
      nodes_reused: nodes.length,
      range_seconds: [0, 0],
      cost: null,
    },
    other_work: { share: 0, words: "", seconds: 0 },
  };
}

test("nodes before the varied one are reused, it and the following ones run", () => {
  const { nodes, totals } = trialForecast(reusedForecast(), ...swept("train.learning_rate"));
  const run = nodes.filter(({ reused }) => !reused).map(({ node }) => node);
  expect(run.sort()).toEqual(["evaluate", "score", "train"]);
  expect(totals.critical_path_seconds).toBe(61);
  expect(totals.nodes_reused).toBe(nodes.length - 3);
  expect(totals.nodes_unknown).toBe(0);
});

test("a node without an earlier time is unknown, not free", () => {
  const forecast = reusedForecast();
  const nodes = forecast.nodes.map((node) => ({ ...node, last: null }));
  const trial = trialForecast({ ...forecast, nodes }, ...swept("train.epochs"));
  expect(trial.totals.nodes_unknown).toBe(3);
  expect(hasEstimate(trial)).toBe(false);
  expect(hasEstimate(trialForecast(forecast, ...swept("train.epochs")))).toBe(true);
});

test("a run that reuses none of them is what a trial takes", () => {
  const forecast = reusedForecast();
  const nodes = forecast.nodes.map((node) => ({ ...node, reused: false }));
  const estimated = { ...forecast, nodes };
  expect(trialForecast(estimated, ...swept("train.epochs"))).toBe(estimated);
});
