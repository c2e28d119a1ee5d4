/** Run as the panels show it: problems before it starts, and the events of its stream. */

import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import type { Headline } from "../../src/api/types.gen";
import { setParameter } from "../../src/graph/edits";
import { withSpace } from "../../src/graph/sweep";
import type { SweepSpace } from "../../src/graph/types.gen";
import { CATALOG, pipeline } from "../cases";
import { send } from "../server";
import { lineOf, openEditor, verdict } from "./editorPage";
import { RunStream, event } from "./runStream";

const JUDGED = { ...pipeline(["two:constant", "sum:add"]), name: "Judged" };

test("Ctrl+Enter runs, and an error prevents it", async () => {
  const { document, problems } = verdict("training for no epochs");
  const page = await openEditor(document, {
    answers: { "POST /validate": { valid: false, problems } },
  });
  await page.shows("problem-count", "data-severity", "error");
  page.focus("canvas");
  await page.press("Control+Enter");
  await page.find("submit-confirm");
  expect(page.at("submit-confirm")).toHaveProperty("disabled", true);
  await page.button("dialog", "Show problems");
  await page.find("problem-0");
});

test("a failing forecast is shown before the run", async () => {
  const error = {
    code: "0002",
    message: "The folder no-such-folder is not there.",
    cure: "Add it.",
  };
  const page = await openEditor(pipeline(["two:constant"]), {
    catalog: CATALOG,
    answers: { "POST /forecast": (_, response) => send(response, 422, { error }) },
  });
  await page.click("submit");
  await page.says("forecast-refused", /This run would fail.*no-such-folder is not there/);
});

test("the button says that a sweep starts", async () => {
  const page = await openEditor(pipeline(["two:constant"]), { catalog: CATALOG });
  expect(lineOf(page.at("submit"))).not.toContain("sweep");
  const space: SweepSpace = { kind: "choices", choices: [1, 2], low: null, high: null };
  page.editor.edit(withSpace(page.editor.state.whole, "two.value", space), "Try values");
  await page.until(() => expect(lineOf(page.at("submit"))).toContain("Run sweep"));
});

test("no forecast is made before code is checked for approval", async () => {
  const { document, problems } = verdict("code that came with a pipeline");
  const held: ServerResponse[] = [];
  let forecasts = 0;
  const page = await openEditor(document, {
    answers: {
      "POST /validate": (_, response) => void held.push(response),
      "POST /forecast": (_, response) => {
        forecasts += 1;
        send(response, 500, {});
      },
    },
  });
  await page.click("submit");
  await page.until(() => expect(lineOf(page.dialog())).toContain("Computing"));
  await page.until(() => expect(held).toHaveLength(2)); // of the page, and of the dialog
  for (const response of held) send(response, 200, { valid: false, problems });
  await page.find("submit-look");
  expect(page.at("submit-confirm")).toHaveProperty("disabled", true);
  expect(forecasts).toBe(0);
});

test("a run that was started elsewhere is estimated, for its progress", async () => {
  const run = new RunStream();
  const asked: unknown[] = [];
  const page = await openEditor(JUDGED, {
    catalog: CATALOG,
    answers: {
      ...run.answers,
      "POST /forecast": (body, response) => {
        asked.push(JSON.parse(body));
        send(response, 500, {});
      },
    },
  });
  page.editor.runs.follow("r1", JUDGED);
  await run.begins(["two", "sum"]);
  run.emit(event("StepFinished", "two", { artifact_id: "x", seconds: 0.1 }));
  await page.until(() => expect(asked).toHaveLength(1));
  run.emit(event("StepStarted", "sum"));
  await page.until(() => expect(page.editor.state.run?.steps["sum"]?.status).toBe("preparing"));
  expect(asked).toHaveLength(1);
});

test("the end of a run is shown in toolbar, notice and tab", async () => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.png">';
  const run = new RunStream();
  const page = await openEditor(JUDGED, { catalog: CATALOG, answers: run.answers });
  page.editor.runs.follow("r1", JUDGED);
  await run.begins(["two", "sum"]);
  await page.shows("run-status", "data-status", "running");
  await page.until(() => expect(document.title).toBe("▶ 0 % · Judged"));
  run.emit(event("StepFinished", "two", { artifact_id: "x", seconds: 0.1 }));
  await page.until(() => expect(document.title).toBe("▶ 50 % · Judged"));
  run.says("headline", { headline: accuracy(0.1, "10.0 %") });
  await page.until(() =>
    expect(page.at("run-status").getAttribute("title")).toContain("Accuracy 10.0 %"),
  );
  expect(page.has("headline")).toBe(false); // it would look like the run's progress
  run.says("headline", { headline: accuracy(0.983, "98.3 %") });
  run.emit(
    event("StepFinished", "sum", { artifact_id: "y", seconds: 0.1 }),
    event("RunFinished", null, { status: "completed" }),
  );
  await page.says("headline", "98.3 %");
  expect(page.at("headline").dataset["value"]).toBe("0.983");
  await page.until(() => expect(document.title).toBe("✓ 98.3 % · Judged"));
  const icon = document.querySelector<HTMLLinkElement>("link[rel~=icon]");
  expect(icon?.href).toMatch(/^data:image\/svg/);
  await page.says("notice", /Run completed in .*: Accuracy 98\.3 %\./);
  await page.button("notice", "Show result");
  await page.until(() => expect(page.editor.state.selection.nodes).toEqual(["sum"]));
  const [selected] = page.all(".react-flow__node.selected");
  expect(selected?.querySelector("[data-testid=node-sum]")).not.toBeNull();
  await page.gone("notice");
  const pane = (): string => page.all("[role=tab][aria-selected=true]")[0]?.textContent ?? "";
  await page.until(() => expect(pane()).toBe("Result"));
});

test("the status of a finished run is a button to its result, and says if it is outdated", async () => {
  const run = new RunStream();
  const links = ["two.output -> sum.a"];
  const linked = { ...JUDGED, ...pipeline(["one:constant", "two:constant", "sum:add"], links) };
  const page = await openEditor(linked, { catalog: CATALOG, answers: run.answers });
  page.editor.runs.follow("r1", linked);
  await run.begins(["one", "two", "sum"]);
  await page.shows("run-status", "data-status", "running");
  expect(page.at("run-status").tagName).toBe("SPAN");
  run.says("headline", { headline: accuracy(0.983, "98.3 %") });
  run.emit(
    event("StepReused", "one", { artifact_id: "w" }),
    event("StepReused", "two", { artifact_id: "x" }),
    event("StepFinished", "sum", { artifact_id: "y", seconds: 0.1 }),
    event("RunFinished", null, { status: "completed" }),
  );
  await page.says("headline", "98.3 %");
  expect(page.has("settings")).toBe(false);
  expect(page.at("run-status").tagName).toBe("BUTTON");
  await page.click("run-status");
  await page.find("settings");
  expect(page.editor.state.selection.nodes).toEqual(["sum"]);
  expect(page.all("[role=tab][aria-selected=true]")[0]?.textContent).toBe("Result");
  page.editor.dispatch((start) => setParameter(start, CATALOG, "two", "value", 7), { label: "" });
  await page.says("run-status", "outdated");
  await page.shows("node-sum", "data-stale", "true");
  await page.says("node-status-two", "outdated");
  expect(page.at("submit").textContent).toContain("2 nodes");
  await page.press("Control+z");
  await page.until(() => expect(page.at("submit").textContent).not.toContain("nodes"));
  expect(page.at("node-status-two").textContent).toBe("reused");
});

test("a node that had not started when its run was cancelled is not called cancelled", async () => {
  const run = new RunStream();
  const page = await openEditor(JUDGED, { catalog: CATALOG, answers: run.answers });
  page.editor.runs.follow("r1", JUDGED);
  await run.begins(["two", "sum"]);
  run.emit(
    event("StepQueued", "two"),
    event("StepStarted", "two", { attempt: 1 }),
    event("StepCancelled", "two"),
    event("StepQueued", "sum"),
    event("StepCancelled", "sum"),
    event("RunFinished", null, { status: "cancelled" }),
  );
  await page.shows("node-status-two", "data-status", "cancelled");
  await page.shows("node-status-sum", "data-status", "not started");
  expect(page.at("node-status-sum").textContent).toBe("not started");
});

test("a node that waits for another run names it, with a link in its details", async () => {
  const run = new RunStream();
  const page = await openEditor(JUDGED, { catalog: CATALOG, answers: run.answers });
  page.editor.runs.follow("r1", JUDGED);
  await run.begins(["two", "sum"]);
  const facts = {
    waits_for: "run “Birds 2”",
    computed_by: "Birds 2",
    run_id: "20261129-120000-ab",
  };
  run.emit(event("StepQueued", "sum"), event("StepPhase", "sum", { phase: "scaling", ...facts }));
  await page.says("node-sum", /Waits for run Birds 2.*It computes the same output\./);
  page.editor.select({ nodes: ["sum"] });
  page.editor.togglePane("settings", true);
  await page.button("settings", "Details");
  await page.says("awaited-run", "Birds 2");
  expect(page.at("awaited-run").getAttribute("href")).toBe("/run?run=20261129-120000-ab");
  run.emit(event("StepReused", "sum", { artifact_id: "y", run_id: "20261129-120000-ab" }));
  await page.gone("awaited-run");
});

test("the headline of a run with an outdated pin says so", async () => {
  const run = new RunStream();
  const pin = { artifact: "x", run: "20261129-120000-ab" };
  const nodes = JUDGED.nodes.map((node) => (node.id === "two" ? { ...node, pin } : node));
  const pinned = { ...JUDGED, nodes };
  const page = await openEditor(pinned, { catalog: CATALOG, answers: run.answers });
  page.editor.runs.follow("r1", pinned);
  await run.begins(["two", "sum"]);
  const label = "Accuracy with an outdated pin: Constant";
  run.says("headline", {
    headline: { ...accuracy(0.983, "98.3 %"), label, outdated_pins: ["Constant"] },
  });
  run.emit(
    event("StepReused", "two", { artifact_id: "x", run_id: pin.run, pinned: true }),
    event("StepFinished", "sum", { artifact_id: "y", seconds: 0.1 }),
    event("RunFinished", null, { status: "completed" }),
  );
  await page.says("run-status", /98\.3 %.*outdated pin/);
  expect(page.at("run-status").getAttribute("title")).toContain(label);
  expect(page.at("run-status").dataset["stale"]).toBe("true");
  await page.says("node-status-two", "pinned");
  page.editor.select({ nodes: ["two"] });
  page.editor.togglePane("settings", true);
  await page.says("pin-box", /20261129-120000-ab \(29 Nov 2026, 12:00\)/);
  await page.click("unpin");
  await page.gone("pin-box");
  expect(page.editor.state.document).toEqual(JUDGED);
});

function accuracy(value: number, text: string): Headline {
  return {
    node: "sum",
    metric: "Overall_Accuracy",
    label: "Accuracy",
    text,
    value,
    higher_is_better: true,
    is_chosen: false,
    details: "",
    outdated_pins: [],
  };
}
