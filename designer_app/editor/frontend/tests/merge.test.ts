/** Two people edit one pipeline: what only one touched stays, what both touched is told. */

import { describe, expect, test } from "vitest";

import { addNode, connect, moveNodes, setParameter } from "../src/graph/edits";
import { removeNodes } from "../src/graph/removal";
import { mergeDocuments } from "../src/graph/documentMerge";
import type { PipelineDocument } from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";

const BASE = pipeline(["one:constant", "two:constant", "sum:add"], ["one.output -> sum.a"]);

const set = (document: PipelineDocument, node: string, value: number): PipelineDocument =>
  setParameter(document, CATALOG, node, "value", value);

const wire = (document: PipelineDocument, from: string, port: string): PipelineDocument =>
  connect(document, CATALOG, { node: from, port: "output" }, { node: "sum", port });

function valueOf(document: PipelineDocument, id: string): unknown {
  return document.nodes.find((node) => node.id === id)?.parameters["value"];
}

describe("joining", () => {
  test("takes what only one of two changed from that one", () => {
    const ours = wire(set(BASE, "one", 2), "two", "b");
    const theirs = moveNodes(set(BASE, "two", 3), new Map([["sum", { x: 400, y: 40 }]]));
    const { document, clashes } = mergeDocuments(BASE, ours, theirs);
    expect(clashes).toEqual([]);
    expect([valueOf(document, "one"), valueOf(document, "two")]).toEqual([2, 3]);
    expect(document.links).toHaveLength(2);
    expect(document.nodes.find(({ id }) => id === "sum")?.position).toEqual({ x: 400, y: 40 });
  });

  test("leaves a version alone that nobody else touched", () => {
    const ours = set(BASE, "one", 2);
    expect(mergeDocuments(BASE, ours, BASE).document).toBe(ours);
    expect(mergeDocuments(BASE, BASE, ours).document).toBe(ours);
    expect(mergeDocuments(BASE, ours, set(BASE, "one", 2))).toEqual({
      document: ours,
      clashes: [],
    });
  });

  test("keeps what is here where both changed the same value, and says so", () => {
    const { document, clashes } = mergeDocuments(BASE, set(BASE, "one", 2), set(BASE, "one", 3));
    expect(valueOf(document, "one")).toBe(2);
    expect(clashes).toEqual(["nodes/one/parameters/value"]);
  });

  test("never mixes two places of a node", () => {
    const [here, there] = [
      { x: 10, y: 20 },
      { x: 30, y: 40 },
    ];
    const ours = moveNodes(BASE, new Map([["one", here]]));
    const theirs = moveNodes(BASE, new Map([["one", there]]));
    const { document, clashes } = mergeDocuments(BASE, ours, theirs);
    expect(document.nodes[0]?.position).toEqual(here);
    expect(clashes).toEqual(["nodes/one/position"]);
  });

  test("never mixes two new nodes that came to the same name", () => {
    const ours = addNode(BASE, CATALOG, "multiply", 0, 0);
    const theirs = addNode(BASE, CATALOG, "multiply", 9, 9);
    expect(mergeDocuments(BASE, ours, theirs).clashes).toEqual(["nodes/multiply"]);
  });

  test("a node that one removed and the other changed is a clash, and no wire hangs", () => {
    const removed = removeNodes(BASE, ["two"]);
    const changed = set(BASE, "two", 3);
    expect(mergeDocuments(BASE, removed, changed).clashes).toEqual(["nodes/two"]);
    const wired = mergeDocuments(BASE, removed, wire(BASE, "two", "b"));
    expect(wired.clashes).toEqual(["links/sum.b"]);
    expect(wired.document.links).toHaveLength(1);
  });
});
