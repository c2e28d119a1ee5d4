/** Differences of two pipelines as a list and as marks; the answers are those of the server. */

import { expect, test } from "vitest";

import { differencesOf, marksAt, placeOfDefinition } from "../src/graph/differences";
import { shownAt } from "../src/graph/places";
import { withOwnModules } from "../src/graph/ownModules";
import type { PipelineDifference, PipelineDocument } from "../src/graph/types";
import { MODULES, load } from "./cases";
import { documentOf } from "./documents";

interface Case {
  readonly name: string;
  readonly document: PipelineDocument;
  readonly difference: PipelineDifference;
}

function caseOf(name: string): Case {
  const match = load<readonly Case[]>("pipeline_differences.json").find((one) => one.name === name);
  if (!match) throw new Error(`No case is called ${name}.`);
  return { ...match, document: documentOf(match.document) };
}

test("differences are listed in the order of the flow, then wires, and last what only moved", () => {
  const { document, difference } = caseOf("edited");
  const listed = differencesOf(difference, document, MODULES);
  expect(listed.map(({ kind, title, texts }) => [kind, title, ...texts])).toEqual([
    ["changed", "Pipeline", "Random seed: none → 7"],
    [
      "changed",
      "Split Image Directory",
      "Fraction of images in the first output: 0.9 → 0.5",
      "Retries: 0 → 2",
    ],
    ["added", "DenseNet"],
    ["removed", "ResNet"],
    [
      "removed",
      "Wire from Convert to Image Directory to Split Image Directory",
      "Input image directory",
    ],
    ["moved", "Convert to Image Directory"],
  ]);
  expect(new Set(listed.map(({ key }) => key)).size).toBe(listed.length);
});

test("equal pipelines have neither entries nor marks", () => {
  const { document, difference } = caseOf("equal");
  expect(differencesOf(difference, document, MODULES)).toEqual([]);
  const marks = marksAt(difference, document, "", document, MODULES);
  expect(marks.nodes.size + marks.ghosts.length + marks.lostWires.length).toBe(0);
});

test("a removed node that would cover another one is shown below all", () => {
  const { document, difference } = caseOf("edited");
  const { nodes, ghosts, lostWires, wires } = marksAt(difference, document, "", document, MODULES);
  expect([...nodes].map(([id, { kind }]) => [id, kind])).toEqual([
    ["densenet", "added"],
    ["split", "changed"],
    ["convert", "moved"],
  ]);
  expect(ghosts.map(({ id, title, x }) => [id, title, x])).toEqual([["resnet", "ResNet", 448]]);
  const bottom = Math.max(...document.nodes.map(({ position }) => position.y));
  expect(ghosts[0]?.y).toBeGreaterThan(bottom);
  const [lost] = lostWires;
  expect(lost?.ends.map(({ x }) => x)).toEqual([224 + 188, 448]);
  expect(wires).toEqual([]);
});

test("a removed node keeps its place where it covers nothing", () => {
  const { document, difference } = caseOf("unknown module");
  const { ghosts } = marksAt(difference, document, "", document, MODULES);
  expect(ghosts.map(({ id, title, x, y }) => [id, title, x, y])).toEqual([
    ["mystery", "module_of_another_package", 224, 0],
  ]);
});

test("a removed sub-pipeline is named by its title, which only the baseline has", () => {
  const { document, difference } = caseOf("inside a sub-pipeline");
  const without = { ...document, nodes: [], links: [], definitions: [] };
  const graph = { ...difference.graph, removed: ["front"], changed: {}, others: [] };
  const gone = { ...difference, graph, inside: {} };
  expect(differencesOf(gone, without, MODULES).map(({ title }) => title)).toEqual(["Prepare"]);
  const { ghosts } = marksAt(gone, without, "", without, MODULES);
  expect(ghosts.map(({ title }) => title)).toEqual(["Prepare"]);
});

test("differences inside a sub-pipeline are marked at its place", () => {
  const { document, difference } = caseOf("inside a sub-pipeline");
  const catalog = withOwnModules(MODULES, document);
  const listed = differencesOf(difference, document, catalog);
  expect(listed.map(({ title, definition }) => [title, definition])).toEqual([
    ["Prepare", null],
    ["Prepare / Split Image Directory", "prepare"],
  ]);
  expect(placeOfDefinition(document, catalog, "prepare")).toBe("front");
  expect(placeOfDefinition(document, catalog, "unused")).toBeUndefined();
  const inside = shownAt(document, "front");
  const marks = marksAt(difference, document, "front", inside, catalog);
  expect([...marks.nodes.keys()]).toEqual(["front/split"]);
  expect([...marksAt(difference, document, "", document, catalog).nodes.keys()]).toEqual(["front"]);
});

test("hundreds of nodes are listed and marked within a moment", () => {
  const { difference, document } = caseOf("edited");
  const nodes = Array.from({ length: 300 }, (_, index) => ({
    ...(document.nodes[2] as PipelineDocument["nodes"][number]),
    id: `split${index}`,
    position: { x: (index % 20) * 224, y: Math.floor(index / 20) * 240 },
  }));
  const large = { ...document, nodes, links: [] };
  const changed = Object.fromEntries(nodes.map(({ id }) => [id, ["Retries: 0 → 2"]]));
  const graph = { ...difference.graph, added: [], removed: [], removed_links: [], moved: {} };
  const many = { ...difference, graph: { ...graph, changed } };
  const start = performance.now();
  expect(differencesOf(many, large, MODULES)).toHaveLength(301);
  expect(marksAt(many, large, "", large, MODULES).nodes.size).toBe(300);
  expect(performance.now() - start).toBeLessThan(1000);
});
