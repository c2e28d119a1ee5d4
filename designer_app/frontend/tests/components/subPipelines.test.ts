/** Making and unpacking a sub-pipeline; parameters of a pipeline and of its sub-pipelines. */

import { expect, test } from "vitest";

import { expanded } from "../../src/graph/expansion";
import type { PipelineDocument } from "../../src/graph/types";
import { CATALOG } from "../cases";
import { documentOf } from "../documents";
import { lesson, nodeIn, openEditor } from "./editorPage";

const LESSON = lesson("01-digits");

test("a selection becomes one node and is unpacked again", async () => {
  const page = await openEditor(LESSON);
  const before = new Set(LESSON.nodes.map(({ id }) => id));
  await page.select("import", "convert", "split");
  await page.menu("node-split", "make-sub-pipeline");
  await page.says("node-sub_pipeline", "Sub-pipeline");
  const saved = await page.saved();
  const [definition, ...others] = saved.definitions ?? [];
  expect(others).toEqual([]);
  expect(definition?.nodes.map(({ id }) => id)).toEqual(["import", "convert", "split"]);
  const outside = ["densenet", "train", "score", "evaluate", "sub_pipeline"];
  expect(new Set(saved.nodes.map(({ id }) => id))).toEqual(new Set(outside));
  await page.find("palette-definition:sub_pipeline");
  expect(page.counts()[1]).toBe(saved.links.length);
  await page.menu("node-sub_pipeline", "unpack-sub-pipeline");
  await page.gone("node-sub_pipeline");
  const unpacked = await page.saved();
  expect(new Set(unpacked.nodes.map(({ id }) => id))).toEqual(before);
  expect(unpacked.definitions ?? []).toEqual([]);
  expect(linksOf(unpacked)).toEqual(linksOf(LESSON));
  await page.click("undo");
  await page.find("node-sub_pipeline");
});

test("a parameter of a node becomes one of the pipeline", async () => {
  const page = await openEditor(LESSON);
  await page.select("train");
  await page.fill("param-epochs", "3");
  await page.click("bind-epochs");
  await page.find("given-epochs");
  page.focus("canvas");
  await page.press("Escape");
  const value = "pipeline-parameter-value-epochs";
  await page.find(value);
  expect(page.value(value)).toBe("3");
  await page.fill(value, "2");
  const [parameter] = (await page.saved()).parameters ?? [];
  expect(parameter).toMatchObject({ default: 2, binds: ["train.epochs"] });
  await page.write("pipeline-parameter-bind-epochs", "train.batch_size");
  await page.click("submit");
  const field = await page.field("submit-parameters", "Epochs");
  expect(field.value).toBe("2");
  await page.change(field, "4");
  await page.button("dialog", "Cancel");
  const [both] = (await page.saved()).parameters ?? [];
  expect(both).toMatchObject({ default: 4, binds: ["train.epochs", "train.batch_size"] });
  await page.click("pipeline-parameter-remove-epochs");
  const saved = await page.saved();
  expect(saved.parameters ?? []).toEqual([]);
  expect(nodeIn(saved, "train").parameters).toMatchObject({ epochs: 4, batch_size: 4 });
});

test("the pipeline sets a value of a node inside one sub-pipeline", async () => {
  const page = await openEditor(nested(), { catalog: CATALOG });
  const values = (whole: PipelineDocument): unknown =>
    Object.fromEntries(expanded(whole).nodes.map(({ id, parameters }) => [id, parameters]));
  await page.user.dblClick(await page.find("node-front"));
  await page.user.dblClick(await page.find("node-front/deep"));
  await page.select("front/deep/one");
  await page.click("bind-outside-value");
  await page.says("given-value", "of the enclosing pipeline");
  expect(page.has("bind-outside-value")).toBe(false);
  await page.fill("param-value", "6");
  const [parameter] = (await page.saved()).parameters ?? [];
  expect(parameter).toMatchObject({ default: 6, binds: ["front/deep/one.value"] });
  await page.click("breadcrumb-front");
  await page.menu("node-front/deep", "make-sub-pipeline");
  await page.find("node-front/sub_pipeline");
  const [moved] = (await page.saved()).parameters ?? [];
  expect(moved?.binds).toEqual(["front/sub_pipeline/deep/one.value"]);
  await page.click("undo");
  await page.find("node-front/deep");
  await page.click("breadcrumb-");
  page.focus("canvas");
  await page.press("Escape");
  const row = "pipeline-parameter-value";
  await page.says(row, "Sets Value of Middle 1 / Inmost / Constant.");
  expect(values(await page.saved())).toEqual({
    "front/deep/one": { value: 6 },
    "back/deep/one": { value: 1 },
  });
  await page.write("pipeline-parameter-bind-value", "back/deep/one.value");
  await page.says(row, "Middle 2 / Inmost / Constant");
  await page.click("undo");
  await page.click("pipeline-parameter-remove-value");
  const saved = await page.saved();
  expect(values(saved)).toEqual({
    "front/deep/one": { value: 6 },
    "back/deep/one": { value: 1 },
  });
  expect(saved.parameters ?? []).toEqual([]);
});

/** A constant in a sub-pipeline within a sub-pipeline that is used twice. */
function nested(): PipelineDocument {
  return documentOf({
    format: "pipeline-designer/2",
    id: "reaching",
    nodes: [
      { id: "front", module: "definition:middle" },
      { id: "back", module: "definition:middle", position: { x: 400, y: 0 } },
    ],
    links: [],
    definitions: [
      {
        id: "inmost",
        title: "Inmost",
        nodes: [{ id: "one", module: "constant", parameters: { value: 1 } }],
      },
      { id: "middle", title: "Middle", nodes: [{ id: "deep", module: "definition:inmost" }] },
    ],
  });
}

function linksOf({ links }: PipelineDocument): ReadonlySet<string> {
  return new Set(links.map(({ from, to }) => `${from.node}.${from.port} -> ${to.node}.${to.port}`));
}
