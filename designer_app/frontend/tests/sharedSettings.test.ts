/** Several nodes set together: common values, differences, and one undo step. */

import { describe, expect, it } from "vitest";

import { makeCatalog } from "../src/graph/catalog";
import { addNode, nodeOf, setParameter, setRunSettings } from "../src/graph/edits";
import { makeParameter } from "../src/graph/pipelineParameters";
import {
  allInProcesses,
  differing,
  differingSettings,
  resetParameterOfAll,
  setParameterOfAll,
  setRunSettingsOfAll,
  sharedParameters,
  valuesOf,
} from "../src/graph/sharedSettings";
import type { CatalogSpec, ModuleSpec, ParameterSpec, PipelineDocument } from "../src/graph/types";
import { CATALOG, load, pipeline } from "./cases";

const [constant] = CATALOG.modules;
const value = constant?.parameters[0];
if (!constant || !value) throw new Error("The toy catalog has a constant with a value.");

const rate: ParameterSpec = { ...value, id: "rate", title: "Rate" };
const program: ParameterSpec = { ...value, id: "program", type: "string", code: "python" };
const hidden: ParameterSpec = {
  ...rate,
  id: "hidden",
  shown_when: [{ parameter: "rate", values: [0.5] }],
};
const slow: ModuleSpec = {
  ...constant,
  id: "slow",
  parameters: [rate, program, hidden, value],
  distributed: true,
};
const quick: ModuleSpec = { ...slow, id: "quick", parameters: [rate, hidden, program] };
const toy = load<CatalogSpec>("toy_catalog.json");
const catalog = makeCatalog({ ...toy, modules: [...toy.modules, slow, quick] });
const IDS = ["slow", "quick"];
const start = IDS.reduce((document, id) => addNode(document, catalog, id), pipeline([]));

const nodesOf = (document: PipelineDocument) => IDS.map((id) => nodeOf(document, id));
const shared = (document: PipelineDocument): readonly string[] =>
  sharedParameters(document, catalog, nodesOf(document)).flatMap((group) =>
    group.parameters.map(({ id }) => id),
  );
const rates = (document: PipelineDocument) =>
  valuesOf(rate, nodesOf(document), catalog, document.settings);

describe("settings shared by several nodes", () => {
  it("are the parameters that each of them shows, without programs", () => {
    expect(shared(start)).toEqual(["rate"]);
    const one = setParameter(start, catalog, "slow", "rate", 0.5);
    expect(shared(one)).toEqual(["rate"]);
    expect(shared(setParameter(one, catalog, "quick", "rate", 0.5))).toEqual(["rate", "hidden"]);
  });

  it("leave out a parameter that the pipeline sets for one of them", () => {
    expect(shared(makeParameter(start, "quick", rate, 0.1))).toEqual([]);
  });

  it("include node counts only if all of them are distributed", () => {
    expect(allInProcesses(catalog, nodesOf(start))).toBe(true);
    const other = addNode(start, catalog, "constant");
    expect(allInProcesses(catalog, other.nodes)).toBe(false);
  });
});

describe("differing values", () => {
  it("are listed, at most three", () => {
    expect(differing([4, 4])).toBeUndefined();
    expect(differing([4, 8, 4])).toBe("4, 8");
    expect(differing([1, 2, 3, null, 5])).toBe("1, 2, 3 and 2 more");
    expect(differing([true, null])).toBe("true, none");
  });

  it("are found in run settings; absent settings are empty", () => {
    expect(differingSettings(nodesOf(start))).toEqual({});
    const changed = setRunSettings(start, "quick", { target: "cluster", cores_per_process: 2 });
    expect(differingSettings(nodesOf(changed))).toEqual({
      target: "none, cluster",
      cores_per_process: "none, 2",
    });
  });
});

describe("one edit", () => {
  it("sets a parameter on all nodes, and resets it to the default", () => {
    const apart = setParameter(start, catalog, "quick", "rate", 0.25);
    const set = setParameterOfAll(apart, catalog, IDS, "rate", 0.75);
    expect(rates(set)).toEqual([0.75, 0.75]);
    expect(rates(resetParameterOfAll(set, IDS, "rate"))).toEqual([rate.default, rate.default]);
  });

  it("changes only the named run settings", () => {
    const apart = setRunSettings(start, "quick", { retries: 3 });
    const set = setRunSettingsOfAll(apart, IDS, { regenerate_output: true, target: "cluster" });
    const settings = nodesOf(set).map(({ run_settings: settings }) => [
      settings.regenerate_output,
      settings.target,
      settings.retries,
    ]);
    expect(settings).toEqual([
      [true, "cluster", 0],
      [true, "cluster", 3],
    ]);
  });
});
