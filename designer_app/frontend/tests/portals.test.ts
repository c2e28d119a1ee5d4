/** Wires with a long way back have letters, one for each output. */

import { expect, test } from "vitest";

import { portalBoxes, portalLetters, portalSides } from "../src/graph/layout/portals";
import { wirePaths } from "../src/graph/layout/wirePaths";

const wire = (id: string, net: string, from: number, to: number) => ({
  id,
  net,
  source: "a",
  target: "b",
  from: { x: from, y: 0 },
  to: { x: to, y: 200 },
});

test("only a wire that leads back over several nodes has a letter", () => {
  const wires = [
    wire("forth", "a.out", 200, 300),
    wire("under", "b.out", 200, 0),
    wire("back", "c.out", 900, 0),
  ];
  expect([...portalLetters(wires)]).toEqual([["back", "A"]]);
});

test("wires of one output share their letter, others have the next letters", () => {
  const many = Array.from({ length: 28 }, (_, at) => wire(`w${at}`, `n${at}`, 900, 0));
  const letters = portalLetters([...many, wire("twin", "n1", 900, 100)]);
  expect([letters.get("w0"), letters.get("w1"), letters.get("twin")]).toEqual(["A", "B", "B"]);
  expect([letters.get("w25"), letters.get("w26"), letters.get("w27")]).toEqual(["Z", "AA", "AB"]);
});

/** As in the second lesson: two wires end at one node, and one of them is drawn as portals. */
const AROUND = new Map(
  Object.entries({ split: [0, 0], train: [500, 0], score: [0, 200] }).map(
    ([id, [x = 0, y = 0]]) => [id, { x, y, width: 200, height: 100 }],
  ),
);
const LINKED = [
  { ...wire("model", "train.model", 700, 0), source: "train", target: "score" },
  { ...wire("images", "split.second", 200, 0), source: "split", target: "score" },
].map((link, at) => ({ ...link, from: { ...link.from, y: 60 }, to: { x: 0, y: 250 + 22 * at } }));

test("a wire keeps clear of the letters of others", () => {
  const letters = portalLetters(LINKED);
  expect([...letters.keys()]).toEqual(["model"]);
  const [atOutput, atInput] = portalBoxes(LINKED, letters);
  expect(atOutput).toEqual({ x: 710, y: 51, width: 18, height: 18 });
  expect(atInput).toEqual({ x: -28, y: 241, width: 18, height: 18 });
  const turnsAt = (known: ReadonlyMap<string, string>): number => {
    const path = wirePaths(AROUND, LINKED, new Set(), known).get("images") ?? "";
    return Math.min(...[...path.matchAll(/[-\d.]+/g)].map(Number));
  };
  expect(turnsAt(new Map())).toBeGreaterThan(-28);
  expect(turnsAt(letters)).toBeLessThan(-28);
});

test("the letter is on another wire of the same output", () => {
  const both = LINKED.map((link) => ({ ...link, net: "one" }));
  expect(portalBoxes(both, portalLetters(both))).toHaveLength(1);
});

/** Letters at two outputs, one above the other; visible wires lead to these heights. */
function sidesOf(...heights: readonly number[]): readonly (number | undefined)[] {
  const wires = heights.flatMap((height, at) => {
    const from = { x: 600, y: 22 * at };
    const out = { net: `split.${at}`, source: "split", target: "train", from };
    return [
      { ...out, id: `seen${at}`, to: { x: 700, y: height } },
      { ...out, id: `far${at}`, to: { x: 0, y: 400 } },
    ];
  });
  const sides = portalSides(wires, portalLetters(wires));
  return heights.map((_, at) => sides.get(`far${at}`));
}

test("next to a wire of the same output, the letter is where no wire is", () => {
  expect(sidesOf(100)).toEqual([-1]);
  expect(sidesOf(0)).toEqual([-1]);
  expect(sidesOf(-100)).toEqual([1]);
});

test("a letter keeps clear of wires of the node's other outputs", () => {
  expect(sidesOf(100, 122)).toEqual([-1, undefined]);
  expect(sidesOf(-100, -78)).toEqual([undefined, 1]);
  expect(sidesOf(-100, 122)).toEqual([undefined, undefined]);
});

test("the only letter of an output is straight in front of it", () => {
  const alone = [wire("far", "split.out", 900, 0)];
  expect([...portalSides(alone, portalLetters(alone))]).toEqual([]);
});
