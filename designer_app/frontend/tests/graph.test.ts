/** Facts about a graph: order, search, differences, images, arrangement. */

import { describe, expect, test } from "vitest";

import { align, distribute } from "../src/graph/layout/align";
import { modulesThatGive, modulesThatTake } from "../src/graph/catalog";
import { pythonOf, pythonValue } from "../src/export/python";
import { changesOf } from "../src/graph/documentDiff";
import { stalenessOf } from "../src/graph/staleness";
import { connect, disconnect, moveNodes, setParameter } from "../src/graph/edits";
import { tidy } from "../src/graph/layout/tidy";
import { neighbour } from "../src/graph/navigate";
import { columns, downstream, order, upstream } from "../src/graph/traversal";
import { limitsOf } from "../src/graph/limits";
import { parseInput } from "../src/graph/parameters";
import { drawSvg, textInSvg } from "../src/export/svg";
import { textInPng, withText } from "../src/export/png";
import { linkablePorts, possibleLinks } from "../src/graph/connections";
import { matchWord, searchModules, searchNodes } from "../src/graph/search";
import type { ParameterSpec, PipelineDocument } from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";
import { documentOf } from "./documents";

const SUM = pipeline(
  ["one:constant", "two:constant", "sum:add", "round:whole", "n:factorial"],
  ["one.output -> sum.a", "two.output -> sum.b", "sum.output -> round.a", "round.output -> n.n"],
);

describe("order", () => {
  test("each node comes after its inputs, otherwise in document order", () => {
    expect(order(SUM)).toEqual(["one", "two", "sum", "round", "n"]);
    expect(columns(SUM)).toEqual([["one", "two"], ["sum"], ["round"], ["n"]]);
  });

  test("upstream and downstream do not include the node itself", () => {
    expect([...upstream(SUM, ["sum"])].sort()).toEqual(["one", "two"]);
    expect([...downstream(SUM, ["sum"])].sort()).toEqual(["n", "round"]);
  });

  test("a cycle has no order", () => {
    const links = ["a.output -> b.a", "b.output -> a.a", "x.output -> a.b"];
    expect(order(pipeline(["x:constant", "a:add", "b:add"], links))).toBeUndefined();
  });

  test("a chain of 5,000 nodes is sorted", () => {
    const ids = Array.from({ length: 5000 }, (_, place) => `n${place}`);
    const links = ids.slice(1).map((id, place) => `n${place}.output -> ${id}.a`);
    expect(
      order(
        pipeline(
          ids.map((id) => `${id}:add`),
          links,
        ),
      ),
    ).toEqual(ids);
  });
});

describe("typing", () => {
  test("typed text becomes its value", () => {
    const number = specOf("value");
    expect(["3", " 0,5 ", "", "many", "1e-3"].map((text) => parseInput(number, text))).toEqual([
      3,
      0.5,
      null,
      "many",
      0.001,
    ]);
  });

  test.each([
    ["1,000", 1000, "1,000"], // with a fraction it may be one or a thousand
    ["-12,345", -12345, "-12,345"],
    ["1,000,000", 1e6, 1e6],
    ["1,000.5", 1000.5, 1000.5],
    ["0,125", "0,125", 0.125],
    ["1,5", "1,5", 1.5],
    ["1,0000", "1,0000", 1],
    ["0,5,5", "0,5,5", "0,5,5"],
    ["1e3", 1000, 1000],
  ])("%s is %s as a whole number and %s with a fraction", (text, whole, fraction) => {
    const number = specOf("value");
    expect(parseInput({ ...number, type: "integer" }, text)).toBe(whole);
    expect(parseInput(number, text)).toBe(fraction);
  });
});

describe("search", () => {
  test("by title, keyword, description, and with missing letters", () => {
    expect(searchModules(CATALOG, "mult")[0]?.id).toBe("multiply");
    expect(searchModules(CATALOG, "sum operands")[0]?.id).toBe("add");
    expect(searchModules(CATALOG, "fctrl")[0]?.id).toBe("factorial");
    expect(searchModules(CATALOG, "zebra")).toEqual([]);
    expect(searchModules(CATALOG, "")).toEqual(CATALOG.modules);
  });

  test("by word forms and synonyms", () => {
    expect(matchWord("scoring", "score image model")).toBe(0.5);
    expect(matchWord("pictures", "score image model")).toBe(0.5);
    expect(matchWord("photographs", "predict the class of images")).toBe(0.5);
    expect(matchWord("scoring", "evaluate model")).toBe(0);
    expect(matchWord("using", "unused")).toBe(0);
  });

  test("nodes by status", () => {
    const failed = { ...step(), status: "failed" };
    expect(
      searchNodes(SUM.nodes, CATALOG, "failed", { sum: failed }).map((node) => node.id),
    ).toEqual(["sum"]);
  });

  test("modules that fit a port", () => {
    const takers = modulesThatTake(CATALOG, "WholeNumber").map((module) => module.id);
    expect(takers).toContain("factorial");
    expect(takers).toContain("add");
    expect(modulesThatTake(CATALOG, "Number").map((module) => module.id)).not.toContain(
      "factorial",
    );
    expect(modulesThatGive(CATALOG, "WholeNumber").map((module) => module.id)).toContain("whole");
  });

  test("highlighted ports, and every possible link", () => {
    const from = { node: "two", port: "output" };
    expect(linkablePorts(SUM, CATALOG, from, "output")).toEqual([
      { node: "sum", port: "a" },
      { node: "round", port: "a" },
    ]);
    const free = disconnect(SUM, { node: "sum", port: "b" });
    expect(possibleLinks(free, CATALOG, "two", "sum").map((link) => link.to.port)).toEqual([
      "b",
      "a",
    ]);
  });

  test("the node in a direction", () => {
    const places = new Map([
      ["one", { x: 0, y: 0 }],
      ["two", { x: 0, y: 200 }],
      ["sum", { x: 300, y: 100 }],
    ]);
    const placed = moveNodes(SUM, places);
    expect(neighbour(placed, "one", "down", new Map())).toBe("two");
    expect(neighbour(placed, "two", "right", new Map())).toBe("sum");
    expect(neighbour(placed, "one", "up", new Map())).toBeUndefined();
  });

  test("right and left follow the wires, including those that lead back", () => {
    const links = ["one.output -> two.a", "one.output -> three.b", "two.output -> three.a"];
    const nodes = ["one:constant", "two:whole", "three:add", "aside:constant"];
    const places = { one: 600, two: 0, three: 300, aside: 900 };
    const chain = moveNodes(
      pipeline(nodes, links),
      new Map(Object.entries(places).map(([id, x]) => [id, { x, y: 0 }])),
    );
    expect(neighbour(chain, "one", "right", new Map())).toBe("two");
    expect(neighbour(chain, "two", "right", new Map())).toBe("three");
    expect(neighbour(chain, "three", "left", new Map())).toBe("two");
    expect(neighbour(chain, "three", "right", new Map())).toBe("one");
  });
});

describe("differences", () => {
  test("are described as text", () => {
    const edited = setParameter(SUM, CATALOG, "one", "value", 4);
    const cut = disconnect(edited, { node: "sum", port: "b" });
    expect(changesOf(SUM, cut, CATALOG)).toEqual([
      "Constant: Value: 1 → 4",
      "Add: B is no longer connected",
    ]);
  });

  test("do not include positions on the canvas", () => {
    const moved = moveNodes(SUM, new Map([["one", { x: 99, y: 1 }]]));
    expect(changesOf(SUM, moved, CATALOG)).toEqual([]);
    expect(stalenessOf(SUM, moved, CATALOG)).toEqual({});
  });

  test("a node after a changed node is stale too", () => {
    const edited = setParameter(SUM, CATALOG, "one", "value", 4);
    expect(stalenessOf(SUM, edited, CATALOG)).toEqual({
      one: ["Value: 1 → 4"],
      sum: ["Constant changed upstream"],
      round: ["Add changed upstream"],
      n: ["Round changed upstream"],
    });
  });
});

describe("exported images", () => {
  const named: PipelineDocument = documentOf({
    ...SUM,
    name: '<script>alert(1)</script> & "quotes" 🐦',
    notes: [{ id: "note", text: "]]></metadata>\u0001\uffff" }],
  });

  test("an SVG contains the pipeline and no markup of the user", () => {
    const svg = drawSvg(named, CATALOG);
    expect(svg).not.toContain("<script");
    expect(JSON.parse(textInSvg(svg) ?? "")).toEqual(named);
  });

  test("a PNG contains a text, only the newest one", () => {
    const png = Uint8Array.from(
      atob(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      ),
      (letter) => letter.charCodeAt(0),
    );
    const text = JSON.stringify(named);
    const twice = withText(withText(png, "old"), text);
    expect(textInPng(twice)).toBe(text);
    expect(twice.length).toBe(withText(png, text).length);
    expect(textInPng(png)).toBeUndefined();
    expect(textInPng(twice.subarray(0, 60))).toBeUndefined();
  });
});

describe("arranging", () => {
  const places = new Map([
    ["one", { x: 0, y: 0 }],
    ["two", { x: 10, y: 50 }],
    ["sum", { x: 100, y: 400 }],
  ]);
  const placed = moveNodes(SUM, places);
  const sizes = new Map(["one", "two", "sum"].map((id) => [id, { width: 100, height: 40 }]));

  test("align and distribute", () => {
    const right = align(placed, ["one", "two"], sizes, "right");
    expect([...right.values()].map((point) => point.x)).toEqual([10, 10]);
    const down = distribute(placed, ["one", "two", "sum"], sizes, "vertically");
    expect([...down.values()].map((point) => point.y)).toEqual([0, 200, 400]);
  });

  test("tidy up puts each node to the right of its inputs", async () => {
    const tidied = await tidy(placed, CATALOG, new Map());
    const x = (id: string): number => tidied.get(id)?.x ?? NaN;
    expect(x("sum")).toBeGreaterThan(Math.max(x("one"), x("two")) + 100);
    expect(x("n")).toBeGreaterThan(x("round"));
  });
});

describe("code", () => {
  test("calls each module with its inputs and parameters, in order of execution", () => {
    const code = pythonOf(setParameter(SUM, CATALOG, "one", "value", 4), CATALOG, "sum");
    expect(code).toContain('"a": one["output"],');
    expect(code).toContain("value=4,");
    expect(code.indexOf("one = run(")).toBeGreaterThan(0);
    expect(code.indexOf("one = run(")).toBeLessThan(code.indexOf("sum = run("));
    expect(pythonOf(SUM, CATALOG, "one")).not.toContain("sum = run(");
    const all = pythonOf(SUM, CATALOG, "n");
    expect(all.match(/^[a-z]+ = run\(/gm)).toEqual(
      ["one", "two", "sum", "round", "n"].map((name) => `${name} = run(`),
    );
    expect(all.match(/^print\(.*/gm)).toEqual(['print(n["output"])']);
    expect(pythonValue([true, null, "a\n"])).toBe('[True, None, "a\\n"]');
  });
});

test("an edit keeps everything that it does not change", () => {
  const edited = setParameter(SUM, CATALOG, "one", "value", 4);
  expect(edited.nodes[1]).toBe(SUM.nodes[1]);
  expect(edited.links).toBe(SUM.links);
  const from = { node: "one", port: "output" };
  const linked = connect(SUM, CATALOG, from, { node: "sum", port: "b" });
  expect(linked.nodes).toBe(SUM.nodes);
});

test("limits of a parameter without effect are omitted", () => {
  const { MAX_SAFE_INTEGER: most, EPSILON } = Number;
  const value = { ...specOf("value"), exclusive_minimum: null, exclusive_maximum: null };
  expect(limitsOf({ ...value, minimum: 1, maximum: 100 })).toBe("at least 1 and at most 100");
  expect(limitsOf({ ...value, minimum: -most, maximum: most })).toBe("");
  expect(limitsOf({ ...value, minimum: EPSILON, maximum: null })).toBe("greater than 0");
});

function specOf(id: string): ParameterSpec {
  const parameter = CATALOG.byId
    .get("constant")
    ?.parameters.find((parameter) => parameter.id === id);
  if (!parameter) throw new Error(id);
  return parameter;
}

function step(): Parameters<typeof searchNodes>[3] extends
  Readonly<Record<string, infer Step>> | undefined
  ? Step
  : never {
  return {
    status: "running",
    attempt: 1,
    key: null,
    artifact_id: null,
    reused_from: null,
    started: 1,
    finished: null,
    problem: null,
    progress: null,
    summary: null,
    warnings: [],
    phases: [],
  };
}
