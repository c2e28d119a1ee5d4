/** List of runs: labels of pipelines in filters and groups. */

import { expect, test } from "vitest";

import { pipelineLabels } from "../src/api/history";
import type { ListedRun } from "../src/api/types.gen";
import { valueOf } from "../src/screens/runs/tableView";

const DIGITS = runOf("digits", "Digits (digits)");
const TWIN = runOf("digits-2", "Digits (digits-2)");
const UNSAVED = runOf(null, "Birds");

test("the pipelines of the filter have the labels of the server", () => {
  const labels = pipelineLabels([DIGITS, DIGITS, TWIN, UNSAVED]);
  expect(Object.fromEntries(labels)).toEqual({
    digits: "Digits (digits)",
    "digits-2": "Digits (digits-2)",
  });
});

test("runs of pipelines with the same name are in different groups", () => {
  const groups = [DIGITS, TWIN, UNSAVED].map((run) => valueOf(run, "pipeline_name", []));
  expect(groups).toEqual(["Digits (digits)", "Digits (digits-2)", "Birds"]);
});

function runOf(pipeline_id: string | null, pipeline_label: string): ListedRun {
  return {
    run_id: "r",
    name: "",
    experiment: "",
    description: "",
    from_run: null,
    pipeline_id,
    pipeline_name: null,
    pipeline_label,
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
    values: [],
  };
}
