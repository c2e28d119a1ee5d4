/** Pane of a lesson: over the canvas on a phone, where it must not cover the card of a failure. */

import { expect, test } from "vitest";

import type { OpenedLesson } from "../../src/api/types.gen";
import type { PipelineDocument } from "../../src/graph/types";
import { CATALOG, pipeline } from "../cases";
import { type EditorPage, openEditor } from "./editorPage";
import { RunStream, event } from "./runStream";

const ID = "lesson-01-digits";
const LESSON: OpenedLesson = {
  opened: 1,
  lesson: {
    minutes: 5,
    level: "beginner",
    steps: [{ task: "Run it.", hint: "Above.", after: "Done.", checks: [], show: { node: "two" } }],
  },
  following: null,
};
const DOCUMENT: PipelineDocument = { ...pipeline(["two:constant", "sum:add"]), id: ID };

/** Show a lesson, unfolded, in a window of this width, while its pipeline runs. */
async function running(width: number): Promise<[EditorPage, RunStream]> {
  const run = new RunStream();
  const answers = { ...run.answers, [`GET /pipelines/${ID}/lesson`]: LESSON };
  const page = await openEditor(DOCUMENT, { catalog: CATALOG, answers });
  Object.defineProperty(page.root, "clientWidth", { value: width });
  const isFolded = (await page.find("lesson")).dataset["folded"] === "true"; // by its first width
  if (isFolded) await page.click("lesson-fold");
  await page.shows("lesson", "data-folded", "false");
  page.editor.runs.follow("r1", DOCUMENT);
  await run.begins(["two", "sum"]);
  return [page, run];
}

const FAILED = event("StepFailed", "two", {
  problem: { code: "0001", message: "Nothing fits.", cure: "Change it." },
});

test("on a phone a failure folds the lesson, once", async () => {
  const [page, run] = await running(390);
  run.emit(FAILED);
  await page.find("fault-two");
  await page.shows("lesson", "data-folded", "true");
  await page.click("lesson-fold");
  run.emit(event("StepCancelled", "sum"));
  await page.until(() => expect(page.editor.state.run?.steps["sum"]?.status).toBe("cancelled"));
  await page.shows("lesson", "data-folded", "false");
});

test("beside the canvas the lesson stays open", async () => {
  const [page, run] = await running(1440);
  run.emit(FAILED);
  await page.find("fault-two");
  await page.shows("lesson", "data-folded", "false");
});
