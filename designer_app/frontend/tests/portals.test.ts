/** Wires that would cross several nodes are drawn as two named tabs. */

import { describe, expect, test } from "vitest";

import { portalBoxes, portalLabels, portalSides } from "../src/graph/layout/portals";
import { wirePaths } from "../src/graph/layout/wirePaths";
import { type Box, tabWidth } from "../src/graph/layout/geometry";

const wire = (id: string, net: string, from: number, to: number, source = "a") => ({
  id,
  net,
  source,
  target: "b",
  from: { x: from, y: 50 },
  to: { x: to, y: 250 },
});

/** Nodes of a row: `a` at the end of it, `b` at the start of the next row. */
const ROWS = new Map<string, Box>([
  ["a", { x: 700, y: 0, width: 200, height: 100 }],
  ["b", { x: 0, y: 200, width: 200, height: 100 }],
]);
/** Six nodes, one above the other, in the middle between the two. */
const WALL = new Map<string, Box>([
  ...ROWS,
  ...Array.from(
    { length: 6 },
    (_, at) => [`w${at}`, { x: 300 + 60 * at, y: -100, width: 40, height: 600 }] as const,
  ),
]);

describe("a wire is split", () => {
  test("only if it leads back and would cross more than two nodes", () => {
    const wires = [wire("forth", "a.out", 900, 1000), wire("back", "a.out", 900, 0)];
    expect([...portalLabels(wires, WALL).keys()]).toEqual(["back"]);
    expect(portalLabels(wires, ROWS).size).toBe(0);
  });

  test("not if one way around the nodes is free, or crosses two of them", () => {
    const back = [wire("back", "a.out", 900, 0)];
    const upTo = (bottom: number): ReadonlyMap<string, Box> =>
      new Map(
        [...WALL].map(([id, box]) => [
          id,
          id.startsWith("w") ? { ...box, height: bottom + 100 } : box,
        ]),
      );
    expect(portalLabels(back, upTo(160)).size).toBe(0); // above the lower row
    expect(portalLabels(back, new Map([...WALL].slice(0, 4))).size).toBe(0);
    expect(portalLabels(back, new Map([...WALL].slice(0, 5))).size).toBe(1);
  });
});

describe("the label of a split wire", () => {
  const names = new Map([["a.out", "Convert · images"]]);

  test("is the name of its output", () => {
    const labels = portalLabels([wire("back", "a.out", 900, 0)], WALL, names);
    expect([...labels]).toEqual([["back", "Convert · images"]]);
  });

  test("is a letter where the name would cover a node", () => {
    const beside = new Map([...WALL, ["c", { x: 930, y: 0, width: 200, height: 100 }] as const]);
    expect([...portalLabels([wire("back", "a.out", 900, 0)], beside, names).values()]).toEqual([
      "A",
    ]);
  });

  test("is the same for wires of one output; others have the next letters", () => {
    const many = Array.from({ length: 28 }, (_, at) => wire(`w${at}`, `n${at}`, 900, 0));
    const labels = portalLabels([...many, wire("twin", "n1", 900, -5)], WALL);
    expect([labels.get("w0"), labels.get("w1"), labels.get("twin")]).toEqual(["A", "B", "B"]);
    expect([labels.get("w25"), labels.get("w26"), labels.get("w27")]).toEqual(["Z", "AA", "AB"]);
  });

  test("determines the width of its tabs", () => {
    expect(tabWidth("A")).toBe(18);
    expect(tabWidth("Convert · images")).toBeGreaterThan(90);
  });
});

/** Two wires that end at one node; one of them is drawn as tabs. */
const AROUND = new Map(
  Object.entries({ split: [0, 0], train: [500, 0], score: [0, 200] }).map(
    ([id, [x = 0, y = 0]]) => [id, { x, y, width: 200, height: 100 }],
  ),
);
const LINKED = [
  { ...wire("model", "train.model", 700, 0), source: "train", target: "score" },
  { ...wire("images", "split.second", 200, 0), source: "split", target: "score" },
].map((link, at) => ({ ...link, from: { ...link.from, y: 60 }, to: { x: 0, y: 250 + 22 * at } }));
const MODEL = new Map([["model", "A"]]);

test("a wire keeps clear of the tabs of others", () => {
  const [atOutput, atInput] = portalBoxes(LINKED, MODEL);
  expect(atOutput).toEqual({ x: 710, y: 51, width: 18, height: 18 });
  expect(atInput).toEqual({ x: -28, y: 241, width: 18, height: 18 });
  const turnsAt = (known: ReadonlyMap<string, string>): number => {
    const path = wirePaths(AROUND, LINKED, new Set(), known).get("images") ?? "";
    return Math.min(...[...path.matchAll(/[-\d.]+/g)].map(Number));
  };
  expect(turnsAt(new Map())).toBeGreaterThan(-28);
  expect(turnsAt(MODEL)).toBeLessThan(-28);
});

test("the tab at an output is on another wire of the same output", () => {
  const both = LINKED.map((link) => ({ ...link, net: "one" }));
  expect(portalBoxes(both, MODEL)).toHaveLength(1);
});

/** Tabs at two outputs, one above the other; visible wires lead to these heights. */
function sidesOf(...heights: readonly number[]): readonly (number | undefined)[] {
  const wires = heights.flatMap((height, at) => {
    const from = { x: 600, y: 22 * at };
    const out = { net: `split.${at}`, source: "split", target: "train", from };
    return [
      { ...out, id: `seen${at}`, to: { x: 700, y: height } },
      { ...out, id: `far${at}`, to: { x: 0, y: 400 } },
    ];
  });
  const sides = portalSides(wires, new Map(heights.map((_, at) => [`far${at}`, "A"])));
  return heights.map((_, at) => sides.get(`far${at}`));
}

test("next to a wire of the same output, the tab is where no wire is", () => {
  expect(sidesOf(100)).toEqual([-1]);
  expect(sidesOf(0)).toEqual([-1]);
  expect(sidesOf(-100)).toEqual([1]);
});

test("a tab keeps clear of wires of the node's other outputs", () => {
  expect(sidesOf(100, 122)).toEqual([-1, undefined]);
  expect(sidesOf(-100, -78)).toEqual([undefined, 1]);
  expect(sidesOf(-100, 122)).toEqual([undefined, undefined]);
});

test("the only tab of an output is straight in front of it", () => {
  const alone = [wire("far", "split.out", 900, 0)];
  expect([...portalSides(alone, new Map([["far", "A"]]))]).toEqual([]);
});
