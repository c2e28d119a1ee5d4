/** List of problems below the canvas: a click goes to a problem, a button fixes it. */

import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { finish } from "../server";
import { nodeIn, openEditor, verdict } from "./editorPage";

const FRACTION = "fraction_of_images_in_the_first_output";

test("problems are listed and fixed by a button", async () => {
  const { document, problems } = verdict("a share of images out of range");
  const page = await openEditor(document, {
    answers: { "POST /validate": { valid: false, problems } },
  });
  await page.click("problem-count");
  await page.says("problem-0", "Split Image Directory");
  const text = page.at("problem-0").querySelector(".pd-problem-text");
  if (text) await page.user.click(text);
  await page.focused(`param-${FRACTION}`);
  await page.click("problem-cure-0");
  await page.says("problems", "No problems");
  expect(nodeIn(await page.saved(), "split").parameters[FRACTION]).not.toBe(7);
});

test("warnings of the server are listed and fixed by a button", async () => {
  const { document, problems } = verdict("random operations that are never drawn");
  const page = await openEditor(document, {
    answers: { "POST /validate": { valid: true, problems } },
  });
  await page.shows("problem-count", "data-severity", "warning");
  await page.click("problem-count");
  await page.says("problem-0", "random horizontal flip");
  expect(page.text("problem-cure-0")).toBe("Set Mode to For training");
  await page.select("apply");
  await page.shows("found-mode", "data-severity", "warning");
  await page.click("problem-cure-0");
  await page.says("problems", "No problems");
  expect(nodeIn(await page.saved(), "apply").parameters).toEqual({ mode: "For training" });
});

test("problems are stale from an edit until the server has checked it", async () => {
  const { document, problems } = verdict("a share of images out of range");
  const held: ServerResponse[] = [];
  const page = await openEditor(document, {
    answers: { "POST /validate": { valid: false, problems } },
  });
  await page.until(() => expect(page.root.dataset["verdict"]).toBe("current"));
  page.server.judge = (response) => void held.push(response);
  await page.click("problem-count");
  await page.select("split");
  await page.fill(`param-${FRACTION}`, "0.5");
  await page.until(() => expect(held).toHaveLength(1));
  expect(page.root.dataset["verdict"]).toBe("stale");
  await page.says("problem-0", "Split Image Directory");
  finish(held[0], []);
  await page.says("problems", "No problems");
  expect(page.root.dataset["verdict"]).toBe("current");
});

test("without the server the pipeline is not checked", async () => {
  const { document } = verdict("a share of images out of range");
  const page = await openEditor(document);
  await page.select("split");
  await page.fill(`param-${FRACTION}`, "0.5");
  await page.click("problem-count");
  await page.says("problems", "No problems");
  await page.server.stop();
  await page.fill(`param-${FRACTION}`, "0.25");
  await page.says("not-checked", "Not checked");
  expect(page.at("problem-count").getAttribute("aria-label")).toContain("Not checked");
  await page.server.start();
  await page.gone("not-checked");
  await page.says("problems", "No problems");
});
