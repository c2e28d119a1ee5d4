/** Node that starts its own processes: limits, launcher, counts, variables and arguments. */

import { expect, test } from "vitest";

import type { RunSettings } from "../../src/graph/types";
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
