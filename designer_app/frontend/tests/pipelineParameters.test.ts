/** Parameters of a pipeline: created from a node's parameter, changed, removed. */

import { expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { removeNodes } from "../src/graph/removal";
import { expanded } from "../src/graph/expansion";
import { findNode } from "../src/graph/lookup";
import {
  bind,
  bindable,
  changeDefinition,
  changeParameter,
  givenBy,
  makeParameter,
  placesOf,
  removeParameter,
  specAt,
  unbind,
} from "../src/graph/pipelineParameters";
import { definitionAt, keptAt, shownAt } from "../src/graph/places";
import { makeSubPipeline, unpack } from "../src/graph/subPipelines";
import { runParameters } from "../src/graph/runParameters";
import { withOwnModules } from "../src/graph/ownModules";
import type {
  ModuleSpec,
  ParameterSpec,
  PipelineDocument,
  PipelineNode,
  PipelineParameter,
} from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";
import { expectWhole } from "./documents";

const SPEC = CATALOG.byId.get("constant")?.parameters[0] as ParameterSpec;
const PLAIN = pipeline(["one:constant", "two:constant"]);

test("a parameter is created with the node's current value and a unique name", () => {
  const one = makeParameter(PLAIN, "one", SPEC, 7);
  const both = makeParameter(one, "two", SPEC, 8);
  expect(both.parameters).toMatchObject([
    { id: SPEC.id, default: 7, binds: [`one.${SPEC.id}`] },
    { id: `two_${SPEC.id}`, default: 8, binds: [`two.${SPEC.id}`] },
  ]);
  expect(givenBy(both, "two", SPEC.id)?.default).toBe(8);
  expect(specAt(both, CATALOG, both.parameters?.[1]?.binds[0])?.id).toBe(SPEC.id);
  expectWhole(both);
});

test("it can also set parameters of the same type, each bound to a single one", () => {
  const made = makeParameter(PLAIN, "one", SPEC, 7);
  const [parameter] = made.parameters as [PipelineParameter];
  const other = `two.${SPEC.id}`;
  expect(bindable(made, CATALOG, parameter)).toContain(other);
  const both = bind(made, SPEC.id, other);
  expect(givenBy(both, "two", SPEC.id)?.default).toBe(7);
  expect(bindable(both, CATALOG, { ...parameter, binds: [other] })).not.toContain(other);
  expectWhole(both);
});

test("the node keeps its value, and a parameter without binds is removed", () => {
  const made = changeParameter(makeParameter(PLAIN, "one", SPEC, 7), SPEC.id, { default: 9 });
  for (const ended of [
    unbind(made, CATALOG, "one", SPEC.id),
    removeParameter(made, CATALOG, SPEC.id),
  ]) {
    expect(ended).toEqual(setParameter(PLAIN, CATALOG, "one", SPEC.id, 9));
  }
});

test("in a sub-pipeline it becomes a parameter of the definition, with the outer value", () => {
  const whole = makeSubPipeline(PLAIN, CATALOG, ["one"]);
  const path = "sub_pipeline/one";
  const shown = makeParameter(shownAt(whole, "sub_pipeline"), path, SPEC, 7);
  const kept = keptAt(
    whole,
    "sub_pipeline",
    changeDefinition(shown, "sub_pipeline", { title: "P" }),
  );
  expect(definitionAt(kept, "sub_pipeline")).toMatchObject({
    title: "P",
    parameters: [{ id: SPEC.id, binds: [`one.${SPEC.id}`] }],
  });
  expectWhole(kept);
  const set = {
    ...kept,
    nodes: kept.nodes.map((node) =>
      node.id === "sub_pipeline" ? { ...node, parameters: { [SPEC.id]: 3 } } : node,
    ),
  };
  const ended = removeParameter(shownAt(set, "sub_pipeline"), CATALOG, SPEC.id);
  const after = keptAt(set, "sub_pipeline", ended);
  expect(findNode(after, "sub_pipeline")?.parameters).toEqual({});
});

test("a run can set parameters of the pipeline and values of its sub-pipelines", () => {
  const inner = makeSubPipeline(PLAIN, CATALOG, ["one"]);
  const shown = makeParameter(shownAt(inner, "sub_pipeline"), "sub_pipeline/one", SPEC, 7);
  const whole = makeParameter(keptAt(inner, "sub_pipeline", shown), "two", SPEC, 8);
  const catalog = withOwnModules(CATALOG, whole);
  const [own, inside] = runParameters(whole, catalog);
  expect(own).toMatchObject({ title: "", parameters: [{ id: SPEC.id, value: 8 }] });
  const [input] = inside?.parameters ?? [];
  expect(input).toMatchObject({ id: `sub_pipeline.${SPEC.id}`, value: 7 });
  const set = input?.set(whole, 3) ?? whole;
  expect(expanded(set).nodes.map(({ parameters }) => parameters)).toContainEqual({ [SPEC.id]: 3 });
  const bound = bind(whole, SPEC.id, `sub_pipeline.${SPEC.id}`);
  expect(runParameters(bound, catalog).map(({ title }) => title)).toEqual([""]);
});

/** `front` and `back` contain `one`; a parameter of the pipeline sets one of them to 7. */
function reaching(...others: readonly string[]): PipelineDocument {
  const made = makeSubPipeline(PLAIN, CATALOG, ["one"]);
  const [, node] = made.nodes as [PipelineNode, PipelineNode];
  const nodes = ["sub_pipeline", ...others].map((id) => ({ ...node, id }));
  return makeParameter({ ...made, nodes }, "sub_pipeline/one", SPEC, 7);
}

const BIND = `sub_pipeline/one.${SPEC.id}`;
const at = (whole: PipelineDocument): PipelineDocument => shownAt(whole, "sub_pipeline");
const valuesIn = (whole: PipelineDocument): unknown =>
  expanded(whole).nodes.map(({ id, parameters }) => [id, parameters[SPEC.id]]);

test("a parameter of the pipeline sets a value in one sub-pipeline, where it is shown", () => {
  const whole = reaching("back");
  expectWhole(whole);
  expect(specAt(whole, CATALOG, BIND)?.id).toBe(SPEC.id);
  expect(valuesIn(whole)).toEqual([
    ["sub_pipeline/one", 7],
    ["back/one", undefined],
  ]);
  expect(givenBy(at(whole), "sub_pipeline/one", SPEC.id)?.default).toBe(7);
  expect(givenBy(shownAt(whole, "back"), "back/one", SPEC.id)).toBeUndefined();
  const [{ spec, value } = {}] =
    runParameters(whole, withOwnModules(CATALOG, whole))[0]?.parameters ?? [];
  expect([spec?.id, value]).toEqual([SPEC.id, 7]);
});

test("setting a bound value inside changes the parameter of the pipeline", () => {
  const whole = reaching("back");
  const { id = "" } = givenBy(at(whole), "sub_pipeline/one", SPEC.id) ?? {};
  const kept = keptAt(whole, "sub_pipeline", changeParameter(at(whole), id, { default: 9 }));
  expect(kept).toEqual(changeParameter(whole, SPEC.id, { default: 9 }));
  const ended = keptAt(
    whole,
    "sub_pipeline",
    unbind(at(kept), CATALOG, "sub_pipeline/one", SPEC.id),
  );
  expect(ended.parameters).toBeUndefined();
});

test("grouping, unpacking and removing inner nodes moves the binds that reach them", () => {
  const plain = reaching("back");
  const back = `back/one.${SPEC.id}`;
  const whole = bind(plain, SPEC.id, back);
  const shown = at(whole);
  const grouped = keptAt(
    whole,
    "sub_pipeline",
    makeSubPipeline(shown, CATALOG, ["sub_pipeline/one"]),
  );
  const binds = (document: PipelineDocument): unknown =>
    document.parameters?.map((one) => one.binds);
  const deeper = (node: string): string => `${node}/sub_pipeline_2/one.${SPEC.id}`;
  expect(binds(grouped)).toEqual([[deeper("sub_pipeline"), deeper("back")]]);
  expect(valuesIn(grouped)).toEqual([
    ["sub_pipeline/sub_pipeline_2/one", 7],
    ["back/sub_pipeline_2/one", 7],
  ]);
  expectWhole(grouped);
  const opened = unpack(at(grouped), CATALOG, "sub_pipeline/sub_pipeline_2");
  const unpacked = keptAt(grouped, "sub_pipeline", opened);
  expect(binds(unpacked)).toEqual([[BIND, back]]);
  const emptied = keptAt(whole, "sub_pipeline", removeNodes(shown, ["sub_pipeline/one"]));
  expect(binds(emptied)).toBeUndefined();
  expectWhole(emptied);
});

test("a bound inner value moves to the sub-pipeline's parameter that now sets it", () => {
  const whole = bind(reaching("back"), SPEC.id, `back/one.${SPEC.id}`);
  const kept = keptAt(whole, "sub_pipeline", makeParameter(at(whole), "sub_pipeline/one", SPEC, 1));
  const names = ["sub_pipeline", "back"].map((node) => `${node}.${SPEC.id}`);
  expect(kept.parameters?.[0]?.binds).toEqual(names);
  const lost = keptAt(kept, "sub_pipeline", removeParameter(at(kept), CATALOG, SPEC.id));
  expect(lost.parameters?.[0]?.binds).toEqual([]);
});

test("a removed parameter leaves its value to its node, and to no other", () => {
  const alone = removeParameter(reaching(), CATALOG, SPEC.id);
  expect(alone.definitions?.[0]?.nodes[0]?.parameters).toEqual({ [SPEC.id]: 7 });
  const ended = removeParameter(reaching("back"), CATALOG, SPEC.id);
  expect(ended.definitions?.[0]?.parameters).toMatchObject([
    { id: SPEC.id, default: SPEC.default, binds: [`one.${SPEC.id}`] },
  ]);
  expect(valuesIn(ended)).toEqual([
    ["sub_pipeline/one", 7],
    ["back/one", SPEC.default],
  ]);
  expectWhole(ended);
  const [front, back] = reaching("back").nodes as [PipelineNode, PipelineNode];
  const outer = makeSubPipeline({ ...ended, nodes: [front] }, CATALOG, ["sub_pipeline"]);
  const [around] = outer.nodes as [PipelineNode];
  const two = { ...outer, nodes: [around, { ...around, id: "other" }, back] };
  const deep = makeParameter(two, `${around.id}/sub_pipeline/one`, SPEC, 8);
  expect(valuesIn(removeParameter(deep, CATALOG, SPEC.id))).toEqual(valuesIn(deep));
});

test("a parameter can be bound to an inner node, which then shows the value of the run", () => {
  const whole = reaching("back");
  const catalog = withOwnModules(CATALOG, whole);
  const [parameter] = whole.parameters as [PipelineParameter];
  expect(bindable(whole, catalog, parameter)).toEqual([`back/one.${SPEC.id}`]);
  const spec = { ...SPEC, runs: true };
  const module = { ...catalog.byId.get("constant"), parameters: [spec] } as ModuleSpec;
  const byId = new Map([...catalog.byId, ["constant", module]]);
  expect(placesOf(whole, { ...catalog, byId }, parameter)).toEqual([["sub_pipeline/one", SPEC.id]]);
});
