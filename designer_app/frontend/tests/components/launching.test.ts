/** Node that starts its own processes: limits, launcher, counts, variables and arguments. */

import { expect, test } from "vitest";

import { setRunSettings } from "../../src/graph/edits";
import type { ComputeTarget, RunSettings } from "../../src/graph/types";
import { documentOf } from "../documents";
import { type EditorPage, lineOf, nodeIn, openEditor } from "./editorPage";

const START = documentOf({
  format: "pipeline-designer/2",
  id: "launching",
  nodes: [
    {
      id: "script",
      module: "run_training_script",
      parameters: { script: "train.py" },
      position: { x: 120, y: 120 },
    },
  ],
});

const TARGET: ComputeTarget = {
  name: "local",
  kind: "local",
  max_nodes: 1,
  processes_per_node: 1,
  gpus: 0,
  memory_bytes: null,
  simulated: false,
  price_per_hour: null,
  is_preemptible: false,
};

test("limits are collapsed and show their values", async () => {
  const page = await openSelected();
  expect((await page.find("fold-limits")).getAttribute("aria-expanded")).toBe("false");
  await page.click("fold-limits");
  await page.fill("setting-time-limit", "90");
  await page.write("setting-time-limit", "1,500"); // a thousand, or one and a half
  expect(page.text("settings")).toContain("Remove the comma.");
  await page.fill("setting-time-limit", "90");
  await page.fill("setting-stall-limit", "0,5");
  await page.write("setting-retries", "11");
  expect(page.text("settings")).toContain("Enter a whole number from 0 to 10.");
  await page.fill("setting-retries", "1");
  await page.click("fold-limits");
  expect(page.has("setting-retries")).toBe(false);
  expect(page.text("fold-limits")).toMatch(
    /^Limits and retries\s?1 h 30 min, 30 s without progress, 1 retry$/,
  );
  expect(await settingsOf(page)).toMatchObject({
    time_limit_minutes: 90,
    stall_limit_minutes: 0.5,
    retries: 1,
  });
});

test("launcher, counts and variables are set and shown", async () => {
  const page = await openSelected();
  await page.fill("setting-node-count", "2");
  await page.write("setting-launcher", "tensorflow");
  await page.fill("setting-parameter-servers", "1");
  expect(page.text("process-total")).toContain("1 chief, 2 workers and 1 parameter");
  await page.write("setting-launcher", "pytorch_process");
  expect(page.has("setting-parameter-servers")).toBe(false);
  await page.click("fold-processes");
  await page.fill("setting-cores", "1");
  await page.click("add-variable");
  await page.fill("variable-name-0", "RANK");
  await page.fill("variable-value-0", "7");
  await page.fill("variable-name-0", "MY_RANK");
  const settings = await settingsOf(page);
  expect(settings.parameter_server_count ?? 0).toBe(0);
  expect(settings).toMatchObject({
    launcher: "pytorch_process",
    node_count: 2,
    cores_per_process: 1,
    variables: { MY_RANK: "7" },
  });
  await page.click("tab-details");
  await page.says("script-variables", "WORLD_SIZE");
  expect(page.text("command-line")).toBe("python train.py");
});

test("a number of steps per GPU is shown where it is set, and removed by 0", async () => {
  const page = await openEditor(setRunSettings(START, "script", { steps_per_gpu: 4 }));
  await page.select("script");
  expect(page.text("fold-processes")).toContain("4 steps per GPU");
  await page.click("fold-processes");
  await page.write("setting-steps-per-gpu", "17");
  expect(page.text("settings")).toContain("Enter a whole number from 0 to 16.");
  await page.fill("setting-steps-per-gpu", "2");
  expect(await settingsOf(page)).toMatchObject({ steps_per_gpu: 2 });
  await page.fill("setting-steps-per-gpu", "0");
  expect(await settingsOf(page)).not.toHaveProperty("steps_per_gpu");
  expect(page.has("setting-steps-per-gpu")).toBe(false); // its target has no GPUs
  const offer = (changes: Partial<ComputeTarget>): void =>
    page.editor.takeOffer({ targets: [{ ...TARGET, ...changes }] });
  offer({ gpus: 2 });
  await page.says("settings", "Steps per GPU 0: automatic");
  await page.fill("setting-steps-per-gpu", "2");
  offer({ kind: "ray", processes_per_node: 2, gpus: 4 }); // two for each process
  await page.says("settings", "Steps per GPU no effect on local");
  offer({ kind: "ray", processes_per_node: 2, gpus: 2 });
  await page.says("settings", "Steps per GPU 0: automatic");
});

test("arguments are lines, and placeholders are completed", async () => {
  const page = await openSelected();
  const options = (): string[] =>
    [...page.at("completions").querySelectorAll("[role=option]")].map(lineOf);
  await page.click("param-arguments");
  await page.type("--data={{inputs.im");
  await page.until(() => expect(options()).toEqual(["{{inputs.images}}"]));
  await page.press("Enter");
  expect(page.value("param-arguments")).toBe("--data={{inputs.images}}");
  await page.press("Enter");
  await page.type("--rank=$LOC");
  await page.press("Tab");
  page.at("param-arguments").blur();
  const { parameters } = nodeIn(await page.saved(), "script");
  expect(parameters["arguments"]).toEqual(["--data={{inputs.images}}", "--rank=$LOCAL_RANK"]);
  await page.click("undo");
  expect(page.value("param-arguments")).toBe("");
});

async function openSelected(): Promise<EditorPage> {
  const page = await openEditor(START);
  await page.select("script");
  return page;
}

async function settingsOf(page: EditorPage): Promise<RunSettings> {
  return nodeIn(await page.saved(), "script").run_settings;
}
