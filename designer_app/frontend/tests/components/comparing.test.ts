/** Comparison with another pipeline: choice, list, keys, marks, errors, and nothing left behind. */

import { expect, test } from "vitest";

import type { PipelineDifference, PipelineDocument } from "../../src/graph/types";
import { setParameter } from "../../src/graph/edits";
import { MODULES, load } from "../cases";
import { documentOf } from "../documents";
import { type Answers, type EditorPage, openEditor } from "./editorPage";

interface Case {
  readonly name: string;
  readonly document: PipelineDocument;
  readonly difference: PipelineDifference;
}

const CASES = load<readonly Case[]>("pipeline_differences.json");
const EDITED = caseOf("edited");
const REVISIONS = [
  { revision: 3, name: null, created: 30, num_nodes: 4, changes: "moved 1 node" },
  { revision: 2, name: "before", created: 20, num_nodes: 4, changes: "set Split" },
  { revision: 1, name: null, created: 10, num_nodes: 4, changes: "created" },
];
const OFFERED: Answers = {
  "GET /pipelines/digits/revisions": { revisions: REVISIONS },
  "GET /runs": { runs: [{ run_id: "r1", name: "Run 1", status: "completed", created: 15 }] },
  "GET /published": {
    published: [{ name: "nightly", description: "", created: 1, versions: [1, 2] }],
  },
  "GET /pipelines": {
    pipelines: [
      { id: "digits", name: "Digits" },
      { id: "shapes", name: "Shapes" },
    ],
  },
};

function caseOf(name: string): Case {
  const match = CASES.find((one) => one.name === name);
  if (!match) throw new Error(`No case is called ${name}.`);
  return { ...match, document: documentOf(match.document) };
}

async function open(answers: Answers = {}, document = EDITED.document): Promise<EditorPage> {
  const difference = { "POST /compare/pipelines": () => EDITED.difference };
  return openEditor(document, { answers: { ...OFFERED, ...difference, ...answers } });
}

/** Choose the baseline with this title in the menu of the toolbar. */
async function compareWith(page: EditorPage, reference: string): Promise<void> {
  await page.click("more");
  await page.click("menu-compare");
  await page.click(`found-${reference}`);
  await page.find("comparison");
}

const entries = (page: EditorPage): readonly string[] =>
  page.all(".pd-comparison-entry").map((entry) => entry.querySelector("b")?.textContent ?? "");

test("versions, runs, published versions and other pipelines are offered", async () => {
  const asked: string[] = [];
  const page = await open({
    "POST /compare/pipelines": (body) => {
      asked.push((JSON.parse(body) as PipelineDocument).id);
      return EDITED.difference;
    },
  });
  await page.click("more");
  await page.click("menu-compare");
  await page.find("found-run:r1");
  const titles = page.all('[role="option"]').map((option) => option.textContent);
  expect(titles.map((title) => title?.split(/Saved|Run · |Pipeline/)[0])).toEqual([
    "Version 2, before",
    "Version 1",
    "Run 1",
    "Published nightly, version 2",
    "Published nightly, version 1",
    "Shapes",
  ]);
  await page.type("shapes");
  await page.press("Enter");
  await page.says("comparison", "Compared with Shapes");
  expect(asked).toEqual(["digits"]);
});

test("the list is stepped through by keys, and each entry is announced", async () => {
  const page = await open();
  await compareWith(page, "pipeline:digits@2");
  await page.says("comparison-counts", "1 added");
  await page.says("spoken", "6 differences from version 2, before.");
  expect(document.activeElement).toBe(page.at("comparison-list"));
  await page.press("ArrowDown", "ArrowDown");
  await page.says("spoken", "2 of 6: Split Image Directory, changed. Fraction of images");
  const list = page.at("comparison-list");
  const current = list.getAttribute("aria-activedescendant");
  expect(list.querySelector('[aria-selected="true"]')?.id).toBe(current);
  expect(page.at("mark-split").dataset["current"]).toBe("true");
  await page.press("End");
  await page.says("spoken", "6 of 6: Convert to Image Directory, moved.");
  page.focus("pipeline-name");
  await page.press("F7");
  await page.says("spoken", "1 of 6: Pipeline, changed.");
  await page.press("Shift+F7");
  await page.says("spoken", "6 of 6");
  await page.click("comparison-next");
  await page.says("spoken", "1 of 6");
  page.focus("comparison-list");
  await page.press("ArrowDown", "Enter");
  await page.until(() => expect(page.editor.state.selection.nodes).toEqual(["split"]));
});

test("nodes and wires are marked; a node that only moved can be left out", async () => {
  const page = await open();
  await compareWith(page, "run:r1");
  await page.find("comparison-marks");
  const kinds = page.all(".pd-mark").map((mark) => [mark.dataset["testid"], mark.dataset["kind"]]);
  expect(kinds).toEqual([
    ["mark-resnet", "removed"],
    ["mark-densenet", "added"],
    ["mark-split", "changed"],
    ["mark-convert", "moved"],
  ]);
  await page.says("mark-split", /Fraction of images in the first output: 0.9 → 0.5 · Retries/);
  expect(page.all(".pd-lost-wires path")).toHaveLength(1);
  await page.click("comparison-moved");
  await page.gone("mark-convert");
  expect(entries(page)).not.toContain("Convert to Image Directory");
});

test("an ended comparison leaves nothing on the page, in the pipeline and in its history", async () => {
  const page = await open();
  await page.select("split");
  const { document: before, history, selection } = page.editor.state;
  await compareWith(page, "pipeline:digits@1");
  await page.find("mark-split");
  await page.press("ArrowDown", "ArrowDown", "Escape");
  await page.gone("comparison");
  await page.gone("comparison-marks");
  expect(page.editor.state.document).toBe(before);
  expect(page.editor.state.history).toBe(history);
  await page.until(() => expect(page.editor.state.selection).toEqual(selection));
  expect(page.root.innerHTML).not.toContain("pd-mark");
  await page.says("spoken", "Comparison closed.");
  await page.press("F7");
  await page.says("spoken", "Comparison closed.");
});

test("after an edit the pipeline is compared again", async () => {
  const bodies: PipelineDocument[] = [];
  const page = await open({
    "POST /compare/pipelines": (body) => {
      bodies.push(JSON.parse(body) as PipelineDocument);
      return bodies.length === 1 ? EDITED.difference : caseOf("equal").difference;
    },
  });
  await compareWith(page, "pipeline:digits@2");
  await page.find("mark-split");
  page.editor.dispatch(
    (document) =>
      setParameter(document, MODULES, "split", "fraction_of_images_in_the_first_output", 0.9),
    { label: "Change parameter" },
  );
  await page.says("comparison-counts", "No differences.");
  await page.says("spoken", "No differences from version 2, before.");
  expect(bodies).toHaveLength(2);
  const [, second] = bodies;
  const split = second?.nodes.find(({ id }) => id === "split");
  expect(split?.parameters).toEqual({}); // the default
  expect(page.has("comparison-list")).toBe(false);
});

test("a pipeline that was deleted meanwhile is reported, and another one can be chosen", async () => {
  const error = {
    code: "not_found",
    message: "Pipeline 'shapes' not found.",
    cure: "Open a pipeline from the list or undo its deletion.",
  };
  let isGone = true;
  const page = await open({
    "POST /compare/pipelines": (_body, response) => {
      if (!isGone) return EDITED.difference;
      response.writeHead(404, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ error }));
      return undefined;
    },
  });
  await compareWith(page, "pipeline:shapes");
  await page.says("comparison-error", `${error.message} ${error.cure}`);
  expect(page.has("comparison-marks")).toBe(false);
  isGone = false;
  await page.button("comparison-error", "Compare with...");
  await page.click("found-run:r1");
  await page.find("mark-split");
  await page.press("Escape");
  await page.gone("comparison");
});

test("differences inside a sub-pipeline are shown there", async () => {
  const { document: outer, difference } = caseOf("inside a sub-pipeline");
  const page = await open({ "POST /compare/pipelines": () => difference }, outer);
  await compareWith(page, "pipeline:digits@2");
  await page.find("mark-front");
  await page.press("ArrowDown", "ArrowDown");
  await page.find("mark-front/split");
  expect(page.editor.state.place).toBe("front");
  expect(page.has("mark-front")).toBe(false);
  await page.press("ArrowUp");
  await page.find("mark-front");
  await page.press("ArrowDown");
  await page.find("mark-front/split");
  await page.press("Escape");
  await page.until(() => expect(page.editor.state.place).toBe(""));
  expect(page.has("comparison-marks")).toBe(false);
});

test("a version is compared from the list of versions", async () => {
  const page = await open();
  await page.click("more");
  await page.click("menu-versions");
  await page.button("revision-1", "Compare");
  await page.says("comparison", "Compared with version 1");
  expect(page.dialog()).toBeNull();
});

test("without a server the choice says so", async () => {
  const page = await open();
  await page.server.stop();
  await page.click("more");
  await page.click("menu-compare");
  await page.says("compare-with", "The server is not responding.");
});
