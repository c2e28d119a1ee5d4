/** List of runs: texts of its rows and filters. */

import { expect, test } from "vitest";

import { pipelineNames } from "../src/api/history";
import type { RunEntry } from "../src/api/types.gen";

test("a pipeline is shown by name; equal names are shown with their ids", () => {
  const names = pipelineNames([
    runOf("birds", "Birds"),
    runOf("birds", "Birds"),
    runOf("digits", "Digits"),
    runOf("digits-2", "Digits"),
    runOf("nameless", ""),
    runOf("gone", null),
    runOf(null, null),
  ]);
  expect(Object.fromEntries(names)).toEqual({
    birds: "Birds",
    digits: "Digits (digits)",
    "digits-2": "Digits (digits-2)",
    nameless: "nameless",
    gone: "gone",
  });
});

function runOf(pipeline_id: string | null, pipeline_name: string | null): RunEntry {
  return {
    run_id: "r",
    name: "",
    experiment: "",
    description: "",
    from_run: null,
    pipeline_id,
    pipeline_name,
    status: "completed",
    created: 0,
    started: null,
    finished: null,
    seconds: null,
    num_nodes: 0,
    num_done: 0,
    note: "",
    tags: [],
    headline: null,
    curve: [],
  };
}
