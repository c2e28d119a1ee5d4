/** The list of problems below the canvas: a click goes there, a button cures it. */

import { expect, test } from "vitest";

import { setParameter } from "../../src/graph/edits";
import { MODULES, lessonWith, nodeIn, openEditor, verdict } from "./editorPage";

const FRACTION = "fraction_of_images_in_the_first_output";

test("problems are listed and cured by a button", async () => {
  const whole = lessonWith(["import", "convert", "split"], true);
  const page = await openEditor(setParameter(whole, MODULES, "split", FRACTION, 7));
  await page.click("problem-count");
  await page.says("problem-0", "Split Image Directory");
  const text = page.at("problem-0").querySelector(".pd-problem-text");
  if (text) await page.user.click(text);
  await page.focused(`param-${FRACTION}`);
  await page.click("problem-cure-0");
  await page.says("problems", "No problems");
  expect(nodeIn(await page.saved(), "split").parameters[FRACTION]).not.toBe(7);
});

test("what the server doubts is listed and cured by a button", async () => {
  const { document, problems } = verdict("random operations that are never drawn");
  const page = await openEditor(document, {
    answers: { "POST /validate": { valid: true, problems } },
  });
  await page.shows("problem-count", "data-severity", "warning");
  await page.click("problem-count");
  await page.says("problem-0", "random horizontal flip");
  expect(page.text("problem-cure-0")).toBe("Set Mode For training");
  await page.select("apply");
  await page.shows("found-mode", "data-severity", "warning");
  await page.click("problem-cure-0");
  await page.says("problems", "No problems");
  expect(nodeIn(await page.saved(), "apply").parameters).toEqual({ mode: "For training" });
});
