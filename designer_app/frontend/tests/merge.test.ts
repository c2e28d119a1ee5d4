/** Two people edit one pipeline: changes of one are kept, clashing changes are reported. */

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

describe("merging", () => {
  test("accepts changes that only one of the two made", () => {
    const ours = wire(set(BASE, "one", 2), "two", "b");
    const theirs = moveNodes(set(BASE, "two", 3), new Map([["sum", { x: 400, y: 40 }]]));
    const { document, clashes } = mergeDocuments(BASE, ours, theirs);
    expect(clashes).toEqual([]);
    expect([valueOf(document, "one"), valueOf(document, "two")]).toEqual([2, 3]);
    expect(document.links).toHaveLength(2);
    expect(document.nodes.find(({ id }) => id === "sum")?.position).toEqual({ x: 400, y: 40 });
  });

  test("keeps a version that nobody else changed", () => {
    const ours = set(BASE, "one", 2);
    expect(mergeDocuments(BASE, ours, BASE).document).toBe(ours);
    expect(mergeDocuments(BASE, BASE, ours).document).toBe(ours);
    expect(mergeDocuments(BASE, ours, set(BASE, "one", 2))).toEqual({
      document: ours,
      clashes: [],
    });
  });

  test("keeps the local value if both changed it, and reports it", () => {
    const { document, clashes } = mergeDocuments(BASE, set(BASE, "one", 2), set(BASE, "one", 3));
    expect(valueOf(document, "one")).toBe(2);
    expect(clashes).toEqual(["nodes/one/parameters/value"]);
  });

  test("never mixes two positions of a node", () => {
    const [local, remote] = [
      { x: 10, y: 20 },
      { x: 30, y: 40 },
    ];
    const ours = moveNodes(BASE, new Map([["one", local]]));
    const theirs = moveNodes(BASE, new Map([["one", remote]]));
    const { document, clashes } = mergeDocuments(BASE, ours, theirs);
    expect(document.nodes[0]?.position).toEqual(local);
    expect(clashes).toEqual(["nodes/one/position"]);
  });

  test("never mixes two new nodes with the same name", () => {
    const ours = addNode(BASE, CATALOG, "multiply", 0, 0);
    const theirs = addNode(BASE, CATALOG, "multiply", 9, 9);
    expect(mergeDocuments(BASE, ours, theirs).clashes).toEqual(["nodes/multiply"]);
  });

  test("a node that one removed and the other changed is a clash, without dangling links", () => {
    const removed = removeNodes(BASE, ["two"]);
    const changed = set(BASE, "two", 3);
    expect(mergeDocuments(BASE, removed, changed).clashes).toEqual(["nodes/two"]);
    const wired = mergeDocuments(BASE, removed, wire(BASE, "two", "b"));
    expect(wired.clashes).toEqual(["links/sum.b"]);
    expect(wired.document.links).toHaveLength(1);
  });
});
