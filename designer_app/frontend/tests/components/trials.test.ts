/** The table of a sweep's trials, on a page that is redrawn while they run. */

import { waitFor, within } from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test } from "vitest";

import type { ListedRun, RunList } from "../../src/api/types.gen";
import { RunsScreen } from "../../src/screens/runs/RunsScreen";
import { PipelineServer, send } from "../server";

const server = new PipelineServer();
afterEach(() => server.stop());

const RUNS = ["r0", "r1"];
const RUN: Omit<ListedRun, "run_id" | "name"> = {
  experiment: "e",
  description: "",
  pipeline_id: null,
  pipeline_name: null,
  status: "completed",
  created: 100,
  started: 100,
  finished: 104,
  seconds: 4,
  num_nodes: 1,
  num_done: 1,
  note: "",
  tags: [],
  from_run: null,
  headline: null,
  curve: [],
  pipeline_label: "p",
  values: [],
};
const LIST: RunList = {
  runs: RUNS.map((id) => ({ ...RUN, run_id: id, name: id })),
  total: RUNS.length,
  experiments: [],
  tags: [],
};
const TRIAL = { state: "completed", objective: 0.5, reason: null, created: 100, finished: 104 };
const ANSWERS: Readonly<Record<string, object>> = {
  "/api/runs": LIST,
  "/api/sweeps/s": {
    pipeline_id: "p",
    best: 1,
    settings: { parameters: {}, objective: { node: "n", metric: "m", goal: "maximize" } },
    trials: RUNS.map((run, number) => ({ ...TRIAL, number, run, values: {} })),
  },
};

test("the selection survives a table that the page draws again", async () => {
  server.intercept = ({ url = "" }, response) => {
    send(response, 200, ANSWERS[url.replace(/\?.*/, "")] ?? {});
    return true;
  };
  await server.start();
  const select = async (): Promise<HTMLInputElement> =>
    within(document.body).findByLabelText<HTMLInputElement>("Select trial 0");
  let leave = drawn("s");
  await userEvent.click(await select());
  await waitFor(async () => expect((await select()).checked).toBe(true));
  leave();
  leave = drawn("s");
  expect((await select()).checked).toBe(true);
  leave();
});

/** Draw the table; return the function that takes it away. */
function drawn(sweep: string): () => void {
  const root = document.createElement("div");
  document.body.append(root);
  const react = createRoot(root);
  const trials = { sweep, titles: {}, numbers: null };
  react.render(createElement(RunsScreen, { api: server.api, trials, send: () => undefined }));
  return () => {
    react.unmount();
    root.remove();
  };
}
