/** Parameters of a pipeline: made of a node's parameter, changed, given back. */

import { expect, test } from "vitest";

import { setParameter } from "../src/graph/edits";
import { expanded } from "../src/graph/expansion";
import { findNode } from "../src/graph/lookup";
import { parseDocument } from "../src/graph/parse";
import {
  bind,
  bindable,
  changeDefinition,
  changeParameter,
  givenBy,
  makeParameter,
  removeParameter,
  specAt,
  unbind,
} from "../src/graph/pipelineParameters";
import { definitionAt, keptAt, shownAt } from "../src/graph/places";
import { makeSubPipeline } from "../src/graph/subPipelines";
import { runParameters } from "../src/graph/runParameters";
import { withOwnModules } from "../src/graph/ownModules";
import type { ParameterSpec, PipelineDocument, PipelineParameter } from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";

const SPEC = CATALOG.byId.get("constant")?.parameters[0] as ParameterSpec;
const PLAIN = pipeline(["one:constant", "two:constant"]);

const same = (document: PipelineDocument): void =>
  expect(parseDocument(JSON.parse(JSON.stringify(document)))).toEqual(document);

test("made of a parameter with the value that it has, and named apart", () => {
  const one = makeParameter(PLAIN, "one", SPEC, 7);
  const both = makeParameter(one, "two", SPEC, 8);
  expect(both.parameters).toMatchObject([
    { id: SPEC.id, default: 7, binds: [`one.${SPEC.id}`] },
    { id: `two_${SPEC.id}`, default: 8, binds: [`two.${SPEC.id}`] },
  ]);
  expect(givenBy(both, "two", SPEC.id)?.default).toBe(8);
  expect(specAt(both, CATALOG, both.parameters?.[1]?.binds[0])?.id).toBe(SPEC.id);
  same(both);
});

test("it gives its value to others of the same kind as well, each from one parameter", () => {
  const made = makeParameter(PLAIN, "one", SPEC, 7);
  const [parameter] = made.parameters as [PipelineParameter];
  const other = `two.${SPEC.id}`;
  expect(bindable(made, CATALOG, parameter)).toContain(other);
  const both = bind(made, SPEC.id, other);
  expect(givenBy(both, "two", SPEC.id)?.default).toBe(7);
  expect(bindable(both, CATALOG, { ...parameter, binds: [other] })).not.toContain(other);
  same(both);
});

test("the node keeps the value that it was given; a parameter that gives no more is gone", () => {
  const made = changeParameter(makeParameter(PLAIN, "one", SPEC, 7), SPEC.id, { default: 9 });
  for (const ended of [unbind(made, "one", SPEC.id), removeParameter(made, SPEC.id)]) {
    expect(ended).toEqual(setParameter(PLAIN, CATALOG, "one", SPEC.id, 9));
  }
});

test("inside a sub-pipeline it is a parameter of that, and the value outside goes with it", () => {
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
  same(kept);
  const set = {
    ...kept,
    nodes: kept.nodes.map((node) =>
      node.id === "sub_pipeline" ? { ...node, parameters: { [SPEC.id]: 3 } } : node,
    ),
  };
  const ended = removeParameter(shownAt(set, "sub_pipeline"), SPEC.id);
  const after = keptAt(set, "sub_pipeline", ended);
  expect(findNode(after, "sub_pipeline")?.parameters).toEqual({});
});

test("a run is given those of the pipeline, and those of a sub-pipeline that have their own value", () => {
  const inner = makeSubPipeline(PLAIN, CATALOG, ["one"]);
  const shown = makeParameter(shownAt(inner, "sub_pipeline"), "sub_pipeline/one", SPEC, 7);
  const whole = makeParameter(keptAt(inner, "sub_pipeline", shown), "two", SPEC, 8);
  const catalog = withOwnModules(CATALOG, whole);
  const [own, inside] = runParameters(whole, catalog);
  expect(own).toMatchObject({ title: "", parameters: [{ id: SPEC.id, value: 8 }] });
  const [given] = inside?.parameters ?? [];
  expect(given).toMatchObject({ id: `sub_pipeline.${SPEC.id}`, value: 7 });
  const set = given?.set(whole, 3) ?? whole;
  expect(expanded(set).nodes.map(({ parameters }) => parameters)).toContainEqual({ [SPEC.id]: 3 });
  const bound = bind(whole, SPEC.id, `sub_pipeline.${SPEC.id}`);
  expect(runParameters(bound, catalog).map(({ title }) => title)).toEqual([""]);
});
