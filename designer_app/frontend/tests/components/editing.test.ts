/** Nodes are deleted, renamed, disabled, commented and searched; notes and groups. */

import { expect, test } from "vitest";

import { makeCatalog } from "../../src/graph/catalog";
import { moveNodes } from "../../src/graph/edits";
import { MODULES, lesson, lessonWith, nodeIn, openEditor } from "./editorPage";

const KEPT = ["import", "convert", "split"];

test("nodes are deleted, restored, and their wires reconnected", async () => {
  const page = await openEditor(lesson("01-digits"));
  await page.select("split");
  await page.press("Delete");
  await page.gone("node-split");
  expect(page.counts()).toEqual([6, 4]);
  await page.press("Control+z");
  await page.find("node-split");
  expect(page.counts()).toEqual([7, 8]);
  await page.press("Control+Shift+z");
  await page.gone("node-split");
  await page.press("Control+z");
  await page.select("convert");
  await page.press("Control+Delete");
  await page.gone("node-convert");
});

test("a node is renamed, disabled and commented", async () => {
  const page = await openEditor(lessonWith(KEPT, true));
  await page.select("split");
  await page.press("F2");
  await page.type("Eighty to twenty");
  await page.press("Enter");
  await page.says("node-split", "Eighty to twenty");
  await page.press("Control+e");
  await page.shows("node-split", "data-disabled", "true");
  expect(page.has("tab-logs")).toBe(false);
  await page.click("fold-comment");
  await page.fill("node-comment", "Why not");
  expect(nodeIn(await page.saved(), "split")).toMatchObject({
    title: "Eighty to twenty",
    disabled: true,
    comment: "Why not",
  });
});

test("notes and groups are added, and undone one by one", async () => {
  const page = await openEditor(lessonWith(KEPT, true));
  page.focus("canvas");
  await page.press("n");
  await page.until(() => expect(page.all(".react-flow__node-note")).toHaveLength(1));
  expect((await page.saved()).notes).toHaveLength(1);
  await page.select("import", "convert");
  await page.press("Control+g");
  const [group] = (await page.saved()).groups;
  expect(new Set(group?.nodes)).toEqual(new Set(["import", "convert"]));
  await page.select("import");
  await page.press("Control+.");
  await page.gone("node-import");
  await page.press("Control+z", "Control+z", "Control+z");
  const { notes, groups } = await page.saved();
  expect([notes, groups]).toEqual([[], []]);
});

test("nodes, modules and commands are searched", async () => {
  const page = await openEditor(
    moveNodes(lesson("01-digits"), new Map([["score", { x: 0, y: 900 }]])),
  );
  for (const [words, module] of [
    ["scoring pictures", "score_image_model"],
    ["neural network", "densenet"],
  ] as const) {
    await page.write("palette-search", words);
    expect(page.all(".pd-palette-item")[0]?.dataset["testid"]).toBe(`palette-${module}`);
  }
  await page.write("palette-search", "confusion");
  await page.find("palette-evaluate_model");
  expect(page.has("palette-densenet")).toBe(false);
  await page.press("Escape");
  page.focus("canvas");
  await page.press("Control+f");
  await page.focused("find-node-input");
  await page.type("score");
  await page.press("Enter");
  await page.says("settings", "Score Image Model");
  await page.press("Control+k");
  await page.focused("command-palette-input");
  await page.type("tidy");
  await page.press("Enter");
  await page.until(() => expect(page.at("undo")).toHaveProperty("disabled", false));
  await page.press("?");
  await page.until(() => expect(page.all("dialog")[0]?.textContent).toContain("Ctrl+Z"));
  await page.press("Escape");
  await page.until(() => expect(page.all("dialog")).toHaveLength(0));
});

test("a module file that cannot be loaded is reported in the palette", async () => {
  const failure = {
    source: "/workspace/modules/halve.py",
    line: 3,
    message: "'(' was never closed.",
    cure: "Correct the file.",
    reason: "syntax",
    facts: {},
  };
  const page = await openEditor(lessonWith([]), {
    catalog: makeCatalog({ ...MODULES.spec, failures: [failure] }),
  });
  await page.says("module-failures", "halve.py, line 3");
  expect(page.text("module-failures")).toContain("reload this page");
  await page.find("palette-import_images");
});
