/** Scripts and model cards that are dropped on the canvas. */

import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { createEvent, fireEvent } from "@testing-library/dom";

import { documentOf } from "../documents";
import { send } from "../server";
import { type EditorPage, lessonWith, openEditor } from "./editorPage";

const EMPTY = documentOf({ format: "pipeline-designer/2", id: "own", name: "Own" });
/** Response of `POST /scripts/read`; see tests/designer_app/api/test_scripts.py. */
const FACTS = {
  options: [],
  arguments: [],
  requirements: [],
  framework: null,
  modules: [],
  submission: null,
  notes: [],
  modules_folder: "/workspace/modules",
};
const LIGHTNING = {
  title: "Lightning",
  launcher: "pytorch_node",
  environment: "pytorch-lightning",
};

test("a script of a framework is set up for it", async () => {
  let facts: unknown = { ...FACTS, framework: LIGHTNING };
  const page = await openEditor(EMPTY, { answers: { "POST /scripts/read": () => facts } });
  drop(page, "net.py", "import lightning as L\n");
  await page.says("notice", "Selected for Lightning: environment and launcher");
  const settings = async (): Promise<unknown> => {
    const { environment, launcher } = (await page.saved()).nodes[0]?.run_settings ?? {};
    return [environment ?? null, launcher];
  };
  expect(await settings()).toEqual(["pytorch-lightning", "pytorch_node"]);
  await page.click("undo");
  expect((await page.saved()).nodes).toEqual([]);
  facts = { ...FACTS, framework: LIGHTNING, requirements: ["lightning"] };
  drop(page, "net.py", "import lightning as L\n");
  await page.until(() => expect(page.root.textContent).toContain("Build environment"));
  expect(await settings()).toEqual([null, "pytorch_node"]);
});

test("a file of modules is not a script", async () => {
  const facts = { ...FACTS, modules: ["First"] };
  const page = await openEditor(EMPTY, { answers: { "POST /scripts/read": facts } });
  drop(page, "first.py", "from modules import module\n");
  await page.says("notice", "first.py contains the module First");
  expect(page.text("notice")).toContain("/workspace/modules");
  expect(page.counts()).toEqual([0, 0]);
});

test("a script that submits to Azure becomes its nodes", async () => {
  const nodes = [{ id: "train", module: "run_training_script", parameters: { script: "a.py" } }];
  const submission = documentOf({ id: "imported", name: "birds", nodes });
  const facts = { ...FACTS, submission, notes: ["Enter the source folder."] };
  const page = await openEditor(EMPTY, { answers: { "POST /scripts/read": facts } });
  drop(page, "submit.py", "ScriptRunConfig(script='a.py')\n");
  await page.says("notice", "submit.py became 1 node. Enter the source folder.");
  expect((await page.saved()).nodes[0]?.parameters).toEqual({ script: "a.py" });
});

test("a model card opens its pipeline", async () => {
  const page = await openEditor(lessonWith(["import", "convert", "split"]));
  const carried = { ...lessonWith(["densenet"]), id: "carried" };
  drop(page, "model.json", JSON.stringify({ role: "trained", pipeline: carried }));
  await page.find("node-densenet");
  expect(page.counts()).toEqual([1, 0]);
});

test("a pipeline in Python opens, and a script of another kind stays a script", async () => {
  const read = { ...lessonWith(["densenet"]), id: "carried" };
  const page = await openEditor(lessonWith(["import", "convert", "split"]), {
    answers: { "POST /code/read": read, "POST /scripts/read": FACTS },
  });
  drop(page, "net.py", '"""from pipeline_designer"""\nimport torch\n');
  await page.says("notice", "net.py was added as a node.");
  drop(page, "digits.py", "from pipeline_designer import Pipeline\n");
  await page.find("node-densenet");
  expect(page.counts()).toEqual([1, 0]);
});

test("code that cannot be read names its line", async () => {
  const refused = { error: { code: "invalid", message: "Line 3: no.", cure: "Write it." } };
  const refuse = (response: ServerResponse): void => send(response, 422, refused);
  const page = await openEditor(EMPTY, {
    answers: { "POST /code/read": (_: string, response: ServerResponse) => refuse(response) },
  });
  drop(page, "digits.py", "from pipeline_designer import Pipeline\nf()\n");
  await page.says("notice", "Line 3: no.");
  expect(page.counts()).toEqual([0, 0]);
});

/** Drop a file on the canvas, as from a file manager. */
function drop(page: EditorPage, name: string, text: string): void {
  const file = new File([text], name);
  const item = { kind: "file", webkitGetAsEntry: () => null, getAsFile: () => file };
  const canvas = page.at("canvas");
  const event = createEvent.drop(canvas, { dataTransfer: { items: [item], types: ["Files"] } });
  fireEvent(canvas, Object.assign(event, { clientX: 300, clientY: 200 }));
}
