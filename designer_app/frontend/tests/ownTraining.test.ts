/** The training that a search repeats, as a separate pipeline. */

import { expect, test } from "vitest";

import { makeCatalog } from "../src/graph/catalog";
import { ownTraining, trainingOf } from "../src/graph/ownTraining";
import type { CatalogSpec, JsonValue, PipelineDocument } from "../src/graph/types";
import { lesson } from "./components/editorPage";
import builtin from "../../../tests/cases/builtin_catalog.json";

const CATALOG = makeCatalog(builtin as unknown as CatalogSpec);

function tuned(
  parameters: Record<string, JsonValue>,
  others: Partial<PipelineDocument> = {},
): PipelineDocument {
  const start = lesson("01-digits");
  const nodes = start.nodes.map((node) =>
    node.id === "train" ? { ...node, module: "tune_model_hyperparameters", parameters } : node,
  );
  return { ...start, nodes, ...others };
}

test("what leads to the search is kept, and a training takes its place", () => {
  const lines = ["learning_rate = 1e-3..1e-1:log", "Batch size = 8, 16", "epochs =", "x = 1"];
  const part = ownTraining(
    tuned({ values_to_try: lines, epochs: 3, trials: 7, stop_early: "halving" }),
    CATALOG,
    "train",
  );
  const train = part?.nodes.find(({ id }) => id === "train");
  expect(train?.module).toBe("train_pytorch_model");
  expect(train?.parameters).toEqual({ epochs: 3 });
  expect(part?.nodes.map(({ module }) => module)).not.toContain("evaluate_model");
  expect(part?.links.filter(({ to }) => to.node === "train")).toHaveLength(3);
  const sweep = part?.settings.sweep;
  expect(Object.keys(sweep?.parameters ?? {})).toEqual(["train.learning_rate", "train.batch_size"]);
  expect(sweep?.parameters["train.batch_size"]?.choices).toEqual([8, 16]);
  expect(sweep).toMatchObject({ strategy: "random", max_trials: 7 });
  expect(sweep?.objective?.goal).toBe("maximize");
  expect(sweep?.pruning).toMatchObject({ kind: "halving", first_epoch: 1, factor: 3 });
});

test("parameters of the pipeline that only the search has are left out", () => {
  const bound = (id: string, ...binds: string[]): object => ({ id, binds, default: 1, title: id });
  const parameters = [
    bound("trials", "train.trials"),
    bound("epochs", "train.epochs", "train.search_seed"),
  ] as unknown as PipelineDocument["parameters"];
  const part = ownTraining(tuned({}, { parameters }), CATALOG, "train");
  expect(part?.parameters?.map(({ id, binds }) => [id, binds])).toEqual([
    ["epochs", ["train.epochs"]],
  ]);
});

test("other nodes, and catalogs without the training, have none", () => {
  const document = tuned({});
  expect(ownTraining(document, CATALOG, "gone")).toBeNull();
  expect(ownTraining(lesson("01-digits"), CATALOG, "train")).toBeNull();
  const modules = CATALOG.modules.filter(({ id }) => id !== "train_pytorch_model");
  const without = makeCatalog({ ...CATALOG.spec, modules });
  expect(ownTraining(document, without, "train")).toBeNull();
  expect(trainingOf(undefined, CATALOG)).toBeUndefined();
});

test("the values of a search with nothing else set are those of its defaults", () => {
  const sweep = ownTraining(tuned({ strategy: "grid", metric: "loss" }), CATALOG, "train")?.settings
    .sweep;
  expect(sweep?.parameters["train.learning_rate"]).toMatchObject({ kind: "log", high: 0.1 });
  expect(sweep).toMatchObject({ max_trials: null, pruning: null });
  expect(sweep?.objective).toEqual({ node: "train", metric: "Valid loss", goal: "minimize" });
});
