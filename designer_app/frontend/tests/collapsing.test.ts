/** Collapsed nodes: their size and ports, the command, copies, layout and exported images. */

import { afterEach, describe, expect, test } from "vitest";

import { flowNodes } from "../src/canvas/flowElements";
import { commandFor } from "../src/commands/keyboard";
import { goToProblem } from "../src/commands/goTo";
import { commandOf, perform } from "../src/commands/registry";
import { drawSvg } from "../src/export/svg";
import { duplicate } from "../src/graph/copies";
import { changesOf } from "../src/graph/documentDiff";
import { setCollapsed } from "../src/graph/edits";
import { nodeSize, portPlaceOn } from "../src/graph/layout/geometry";
import { tidy } from "../src/graph/layout/tidy";
import { endsOf } from "../src/graph/leading";
import { previewedType } from "../src/graph/previewedType";
import { UNKNOWN_NODE, problemOf } from "../src/graph/problems";
import { stalenessOf } from "../src/graph/staleness";
import { makeSubPipeline } from "../src/graph/subPipelines";
import type { PipelineDocument, PipelineNode } from "../src/graph/types";
import { Editor } from "../src/store/editor";
import { createView } from "../src/view/viewStore";
import { CATALOG, MODULES, lesson, pipeline } from "./cases";
import { expectWhole } from "./documents";
import { silentApi } from "./server";

const LINKS = ["one.output -> sum.a", "two.output -> sum.b"];
const SUM = pipeline(["one:constant", "two:constant", "sum:add"], LINKS);
const EMPTY = { nodes: [], links: [], notes: [], groups: [] };
const editors: Editor[] = [];

afterEach(() => {
  for (const editor of editors.splice(0)) editor.close();
});

function open(document: PipelineDocument, readOnly = false): Editor {
  const options = { api: silentApi(), catalog: CATALOG, document, revision: '"1"', readOnly };
  const editor = new Editor({ ...options, storage: null });
  editors.push(editor);
  return editor;
}

function collapsedIn({ nodes }: PipelineDocument): readonly string[] {
  return nodes.filter(({ collapsed }) => collapsed).map(({ id }) => id);
}

function nodeIn({ nodes }: PipelineDocument, id: string): PipelineNode {
  return nodes.find((node) => node.id === id) as PipelineNode;
}

describe("a collapsed node", () => {
  test("of any module has at most half its height, and ports that do not overlap", () => {
    for (const module of MODULES.byId.values()) {
      const node = { ...nodeIn(SUM, "one"), module: module.id };
      const small = { ...node, collapsed: true };
      const [full, half] = [nodeSize(node, module), nodeSize(small, module)];
      expect(half.width).toBe(full.width);
      expect(half.height).toBeLessThanOrEqual(full.height / 2);
      for (const side of ["input", "output"] as const) {
        const ys = module[`${side}s`].map((_, at) => portPlaceOn(small, module, side, at).y);
        for (const [at, y] of ys.entries()) {
          expect(y).toBeGreaterThanOrEqual(6);
          expect(y).toBeLessThanOrEqual(half.height - 6);
          if (at > 0) expect(y - (ys[at - 1] ?? NaN)).toBeGreaterThanOrEqual(12);
        }
      }
    }
  });

  test("has its wires at its edges, and a name that says so", () => {
    const document = setCollapsed(SUM, ["one"], true);
    const nodes = flowNodes({
      document,
      catalog: CATALOG,
      selection: { ...EMPTY },
      moved: new Map(),
    });
    const one = nodes.find(({ id }) => id === "one");
    expect(one?.ariaLabel).toBe("Constant, collapsed");
    expect(one?.height).toBe(38);
    expect(one?.handles?.map(({ y, height }) => y + (height ?? 0) / 2)).toEqual([19]);
    expect(nodes.find(({ id }) => id === "sum")?.ariaLabel).toBe("Add");
    const ends = endsOf(document, CATALOG, { node: "sum", port: "a" });
    expect(ends?.[0]).toEqual({ x: 188, y: 19 });
    expect(ends?.[1]).toEqual(endsOf(SUM, CATALOG, { node: "sum", port: "a" })?.[1]);
  });

  test("has no preview below it", () => {
    const node = nodeIn(lesson("01-digits"), "split");
    const module = MODULES.byId.get(node.module);
    expect(previewedType(node, module)).toBe("ImageDirectory");
    expect(previewedType({ ...node, collapsed: true }, module)).toBeUndefined();
  });
});

describe("collapsing", () => {
  test("is one step for all selected nodes, and expands them if all are collapsed", () => {
    const editor = open(SUM);
    const label = (): string | undefined => commandOf("collapse-nodes").labelFor?.(editor.state);
    editor.select({ nodes: ["one", "sum"] });
    expect(label()).toBe("Collapse");
    perform(editor, "collapse-nodes");
    expect(collapsedIn(editor.state.document)).toEqual(["one", "sum"]);
    expectWhole(editor.state.document);
    expect(label()).toBe("Expand");
    editor.select({ nodes: ["one", "two", "sum"] });
    expect(label()).toBe("Collapse");
    perform(editor, "collapse-nodes");
    expect(collapsedIn(editor.state.document)).toEqual(["one", "two", "sum"]);
    perform(editor, "collapse-nodes");
    expect(editor.state.document).toEqual(SUM);
    for (const count of [3, 2, 0]) {
      perform(editor, "undo");
      expect(collapsedIn(editor.state.document)).toHaveLength(count);
    }
    expect(editor.state.document).toBe(SUM);
  });

  test("has a key, and is not possible on a read-only canvas", () => {
    const key = { key: "h", code: "KeyH", ctrlKey: false, metaKey: false, shiftKey: false };
    const held = { altKey: false, isComposing: false };
    expect(commandFor({ ...key, ...held }, false)?.id).toBe("collapse-nodes");
    const frozen = open(SUM, true);
    frozen.select({ nodes: ["one"] });
    expect(perform(frozen, "collapse-nodes")).toBe(false);
    expect(frozen.state.document).toBe(SUM);
  });

  test("inside a sub-pipeline is stored in it, and in copies", () => {
    const small = setCollapsed(SUM, ["one", "sum"], true);
    expect(collapsedIn(duplicate(small, ["one", "two"]))).toEqual(["one", "sum", "one_2"]);
    const made = makeSubPipeline(small, CATALOG, ["two", "sum"]);
    const [definition] = made.definitions ?? [];
    expect(definition?.nodes.map(({ id, collapsed }) => [id, collapsed ?? false])).toEqual([
      ["two", false],
      ["sum", true],
    ]);
  });

  test("changes no result, also inside a sub-pipeline", () => {
    const small = setCollapsed(SUM, ["one"], true);
    expect(changesOf(SUM, small, CATALOG)).toEqual([]);
    expect(stalenessOf(SUM, small, CATALOG)).toEqual({});
    const made = makeSubPipeline(SUM, CATALOG, ["two", "sum"]);
    const definitions = made.definitions?.map((definition) => ({
      ...definition,
      nodes: definition.nodes.map((node) => ({ ...node, collapsed: true, color: "red" })),
    }));
    expect(stalenessOf(made, { ...made, definitions: definitions ?? [] }, CATALOG)).toEqual({});
  });
});

test("a problem of a collapsed node is shown with its settings", () => {
  const editor = open(setCollapsed(SUM, ["one"], true));
  editor.togglePane("settings", false);
  const problem = problemOf(UNKNOWN_NODE, { sentence: ["k", "m"], facts: {} });
  goToProblem(editor, createView(), { ...problem, node: "one", parameter: "value" });
  expect(editor.state.selection.nodes).toEqual(["one"]);
  expect(editor.state.panes.settings).toBe(true);
});

test("tidy up leaves less space below collapsed nodes", async () => {
  const height = async (document: PipelineDocument): Promise<number> => {
    const sizes = new Map(
      document.nodes.map((node) => [node.id, nodeSize(node, CATALOG.byId.get(node.module))]),
    );
    const ys = [...(await tidy(document, CATALOG, sizes)).values()].map(({ y }) => y);
    return Math.max(...ys) - Math.min(...ys);
  };
  const small = setCollapsed(SUM, ["one", "two"], true);
  expect((await height(SUM)) - (await height(small))).toBeGreaterThan(30);
});

test("an exported image shows its title without labels of ports", () => {
  const svg = drawSvg(setCollapsed(SUM, ["one", "two", "sum"], true), CATALOG);
  expect(svg).toContain(">Add</text>");
  expect(svg).not.toContain(">b</text>");
  expect(drawSvg(SUM, CATALOG)).toContain(">b</text>");
});
