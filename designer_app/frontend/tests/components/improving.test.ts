/** Ways to improve a result: one edit that can be undone, and the comparison afterwards. */

import { expect, test } from "vitest";

import type { Improvements } from "../../src/api/types.gen";
import { setHost } from "../../src/store/pageHost";
import { nodeIn, lessonWith, MODULES, openEditor } from "./editorPage";
import { RunStream, event } from "./runStream";

const WAYS: Improvements = {
  run_id: "r1",
  verdict: "80.0 % of 50 validation images are right (10 mistakes).",
  choices: [
    {
      kind: "fine_tune",
      title: "Fine-tune all layers",
      text: "Train the whole network for 12 epochs.",
      expected: "Expected: 84 to 96 % of the validation images.",
      changes: [
        { node: "train", parameters: { epochs: 12, optimizer: "adamw", batch_norm: "frozen" } },
        { node: "split", parameters: { fraction_of_images_in_the_first_output: 0.7 } },
      ],
      seconds: 151,
      recommended: true,
    },
  ],
  few_images: "Class ant has only 3 training images.",
  first: null,
};

async function finishedRun(ways: Improvements, details = "") {
  const run = new RunStream();
  const document = lessonWith(["split", "train"]);
  const page = await openEditor(document, {
    catalog: MODULES,
    answers: {
      ...run.answers,
      "GET /runs/r1/improvements": ways,
      "GET /runs/r1/learning-curve": {
        category: "ant",
        images: 3,
        measured: [],
        estimated: [],
        text: "Estimated: about 82 % with 10 (7 more).",
      },
    },
  });
  page.editor.runs.follow("r1", document);
  await run.begins(["split", "train"]);
  run.says("headline", {
    headline: {
      node: "train",
      metric: "Top-1 validation accuracy",
      label: "Validation accuracy",
      text: "80.0 %",
      value: 0.8,
      higher_is_better: true,
      is_chosen: false,
      details,
      outdated_pins: [],
    },
  });
  run.emit(
    event("StepFinished", "split", { artifact_id: "x", seconds: 0.1 }),
    event("StepFinished", "train", { artifact_id: "y", seconds: 0.1 }),
    event("RunFinished", null, { status: "completed" }),
  );
  page.editor.togglePane("settings", true);
  return page;
}

test("a result on few images has its interval below it", async () => {
  const interval = "likely 55 to 93 % (15 images)";
  const page = await finishedRun(WAYS, interval);
  await page.says("result-details", new RegExp(`^${interval.replace(/[()]/g, ".")}$`));
});

test("a result without details has no line for them", async () => {
  const page = await finishedRun(WAYS);
  await page.says("result-run", /80\.0 %/);
  await page.gone("result-details");
});

test("an improvement is one edit of several nodes, and the run dialog follows", async () => {
  const page = await finishedRun(WAYS);
  const before = page.editor.state.document;
  await page.says(
    "improve",
    /80\.0 % of 50 validation images.*Fine-tune all layers.*about .*84 to 96 %/,
  );
  await page.says("few-images", /only 3 training images.*82 % with 10/);
  await page.click("improve-fine_tune");
  const { document } = page.editor.state;
  expect(nodeIn(document, "train").parameters).toMatchObject({
    epochs: 12,
    optimizer: "adamw",
    batch_norm: "frozen",
  });
  expect(nodeIn(document, "split").parameters).toMatchObject({
    fraction_of_images_in_the_first_output: 0.7,
  });
  await page.find("submit-confirm");
  await page.press("Escape");
  page.focus("canvas");
  await page.press("Control+z");
  await page.until(() => expect(page.editor.state.document).toEqual(before));
});

test("the result of an improvement is compared with the first one", async () => {
  const page = await finishedRun({
    ...WAYS,
    choices: [],
    few_images: null,
    first: {
      run_id: "r0",
      name: "Run 1",
      label: "Accuracy",
      before: "80.0 %",
      now: "97.5 %",
      is_better: true,
    },
  });
  await page.says("improve-compared", /Accuracy 80\.0 % → 97\.5 %/);
  expect(page.at("improve-compare").getAttribute("href")).toBe("/compare?run=r0&run=r1");
});

test("one click on the result opens the registration of its model", async () => {
  const sent: unknown[] = [];
  setHost((name, value) => void sent.push([name, value]));
  const page = await finishedRun({ ...WAYS, choices: [], few_images: null });
  await page.click("register-result-of-run");
  const view = { run: "r1", node: "train", port: "trained_model", view: "register" };
  expect(sent).toEqual([["look", view]]);
});

test("a node with a trained model has a button that registers it", async () => {
  const sent: unknown[] = [];
  setHost((name, value) => void sent.push([name, value]));
  const page = await finishedRun({ ...WAYS, choices: [], few_images: null });
  await page.select("train");
  page.editor.shell?.show("result");
  await page.click("register-trained_model");
  const view = { run: "r1", node: "train", port: "trained_model", view: "register" };
  expect(sent).toEqual([["look", view]]);
});

test("a run with nothing to improve shows no heading", async () => {
  const page = await finishedRun({ ...WAYS, verdict: "", choices: [], few_images: null });
  await page.find("result-run");
  expect(page.has("improve")).toBe(false);
});
