/** Settings pane: fields of one node and of several, of runs and of launchers. */

import { expect, test } from "vitest";

import { finish } from "../server";
import { type EditorPage, lesson, lineOf, nodeIn, openEditor, verdict } from "./editorPage";

test("a value out of range is reported at its field", async () => {
  const { problems } = verdict("training for no epochs");
  const page = await openEditor(lesson("01-digits"));
  page.server.judge = (response, document) =>
    finish(response, nodeIn(document, "train").parameters["epochs"] === 0 ? problems : []);
  await page.select("train");
  await page.write("param-epochs", "0");
  await page.shows("param-epochs", "aria-invalid", "true");
  expect(faults(page)).toEqual([expect.stringContaining("greater than 0")]);
  expect(page.at("problem-count").dataset["severity"]).toBe("error");
  await page.fill("param-epochs", "7");
  await page.shows("param-epochs", "aria-invalid", "false");
  expect(faults(page)).toEqual([]);
  expect(page.at("problem-count").dataset["severity"]).toBe("none");
  expect(nodeIn(await page.saved(), "train").parameters["epochs"]).toBe(7);
  await page.click("undo"); // typing into one field is one step
  expect(page.value("param-epochs")).toBe("4");
  expect(page.at("undo")).toHaveProperty("disabled", true);
  await page.click("redo");
  expect(page.value("param-epochs")).toBe("7");
  await page.click("reset-epochs");
  expect(nodeIn(await page.saved(), "train").parameters["epochs"]).not.toBe(7);
});

test("a parameter that its own node varies shows the space and is not edited", async () => {
  const [first, ...others] = lesson("01-digits").nodes.filter(({ id }) => id === "train");
  if (!first || others.length > 0) throw new Error("train");
  const parameters = { values_to_try: ["epochs = 2,4"], epochs: 9 };
  const node = { ...first, module: "tune_model_hyperparameters", parameters };
  const page = await openEditor({ ...lesson("01-digits"), nodes: [node], links: [] });
  await page.select("train");
  expect(page.value("param-epochs")).toBe("2, 4");
  expect(page.at("param-epochs")).toHaveProperty("readOnly", true);
  expect(page.text("tried-epochs")).toBe("Tried by Values to try, whose values replace 9.");
  expect(page.at("node-train").textContent).toContain("epochs 2, 4");
  await page.fill("param-values_to_try", "batch_size = 8,16");
  expect(page.value("param-epochs")).toBe("9");
  expect(page.at("param-epochs")).toHaveProperty("readOnly", false);
  expect(page.value("param-batch_size")).toBe("8, 16");
});

test("a search names and draws the training that its trials run", async () => {
  const { nodes, ...others } = lesson("01-digits");
  const parameters = { values_to_try: ["epochs = 2,4", "learning_rate ="] };
  const module = "tune_model_hyperparameters";
  const tuned = nodes.map((node) => (node.id === "train" ? { ...node, module, parameters } : node));
  const page = await openEditor({ ...others, nodes: tuned });
  await page.select("train");
  await page.says(
    "own-training",
    "Each trial runs Train PyTorch Model with other values of: Epochs.",
  );
  await page.click("show-training");
  await page.until(() => expect(page.text("training-values")).toBe("Epochs 2, 4"));
  const image = page.at("training-values").closest("dialog")?.querySelector("img");
  expect(image?.alt).toContain("DenseNet");
  expect(image?.alt).toContain("Train PyTorch Model");
  expect(image?.alt).not.toContain("Score");
  await page.select("densenet");
  expect(page.has("own-training")).toBe(false);
});

test("the field with values to try has the focus once its button is pressed", async () => {
  const page = await openEditor(lesson("01-digits"));
  await page.select("train");
  await page.click("try-learning_rate");
  await page.until(() => expect(document.activeElement).toBe(page.at("try-values-learning_rate")));
  await page.click("try-learning_rate");
  expect(page.has("try-values-learning_rate")).toBe(false);
});

test("a warning of the server is shown at the field and at its node", async () => {
  const { problems } = verdict("a learning rate far beyond what trains");
  const page = await openEditor(lesson("01-digits"));
  page.server.judge = (response) => finish(response, problems);
  await page.select("train");
  await page.fill("param-learning_rate", "50000");
  await page.says("found-learning_rate", "far too high");
  expect(page.at("found-learning_rate").dataset["severity"]).toBe("warning");
  const badge = page.at("node-train").querySelector<HTMLElement>(".pd-badge");
  expect(badge?.dataset["severity"]).toBe("warning");
});

test("processes are set and the effective batch size is shown", async () => {
  const page = await openEditor(lesson("01-digits"));
  await page.select("train");
  await page.fill("setting-process-count", "2");
  expect(page.text("training-arithmetic")).toContain("128");
  const { run_settings: settings } = nodeIn(await page.saved(), "train");
  expect(settings.process_count_per_node).toBe(2);
});

test("several nodes are set together", async () => {
  const page = await openEditor(lesson("03-two-models-compared"));
  const trainings = async (): Promise<unknown[]> => {
    const { nodes } = await page.saved();
    return nodes
      .filter(({ id }) => id.startsWith("train"))
      .map(({ parameters, run_settings: settings }) => [
        parameters["epochs"],
        settings.regenerate_output,
        settings.node_count,
        settings.process_count_per_node,
      ]);
  };
  await page.select("train_densenet");
  await page.fill("param-epochs", "6");
  await page.select("train_densenet", "train_resnet");
  expect(page.value("param-epochs")).toBe("");
  expect(page.at("param-epochs").getAttribute("placeholder")).toBe("mixed");
  await page.fill("param-epochs", "12");
  await page.click("setting-regenerate");
  expect(await trainings()).toEqual([
    [12, true, 1, 1],
    [12, true, 1, 1],
  ]);
  await page.click("undo");
  await page.click("undo");
  expect(page.value("param-epochs")).toBe("");
  expect(await trainings()).toEqual([
    [6, false, 1, 1],
    [3, false, 1, 1],
  ]);
  page.focus(page.at("node-train_resnet").closest<HTMLElement>(".react-flow__node") ?? undefined);
  await page.press("Enter");
  await page.focused("param-epochs");
  await page.type("9");
  page.focus("setting-node-count");
  await page.type("2");
  page.focus("setting-process-count");
  await page.type("2");
  page.focus("setting-regenerate");
  await page.press(" ");
  expect(await trainings()).toEqual([
    [9, true, 2, 2],
    [9, true, 2, 2],
  ]);
});

test.each(["canvas", "nothing"])(
  "Enter opens the settings while %s has the focus",
  async (place) => {
    const page = await openEditor(lesson("01-digits"));
    await page.select("import");
    page.focus("canvas");
    if (place === "nothing") page.at("canvas").blur();
    await page.press("Enter");
    await page.focused("param-source");
  },
);

/** Texts of the problems in the settings pane. */
function faults(page: EditorPage): readonly string[] {
  return [...page.at("settings").querySelectorAll(".pd-error-text")].map(lineOf);
}

test("a module's card opens after the pointer has moved, not under a resting one", async () => {
  const page = await openEditor(lesson("01-digits"));
  const item = page.at("palette-densenet");
  const point = (type: string, movementX: number): void => {
    const event = new PointerEvent(type, { bubbles: true });
    item.dispatchEvent(Object.defineProperty(event, "movementX", { value: movementX }));
  };
  point("pointerover", 0);
  point("pointermove", 0);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(page.all(".pd-card")).toHaveLength(0);
  point("pointermove", 3);
  await page.until(() => expect(page.all(".pd-card")).toHaveLength(1));
});
