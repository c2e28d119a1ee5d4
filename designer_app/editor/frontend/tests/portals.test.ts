/** Wires with a long way back are called by letters, one for each output. */

import { expect, test } from "vitest";

import { portalLetters } from "../src/graph/layout/portals";

const wire = (id: string, net: string, from: number, to: number) => ({
  id,
  net,
  source: "a",
  target: "b",
  from: { x: from, y: 0 },
  to: { x: to, y: 200 },
});

test("only a wire that leads back over more than a node has a letter", () => {
  const wires = [
    wire("forth", "a.out", 200, 300),
    wire("under", "b.out", 200, 0),
    wire("back", "c.out", 900, 0),
  ];
  expect([...portalLetters(wires)]).toEqual([["back", "A"]]);
});

test("wires of one output share their letter, others have the next ones", () => {
  const many = Array.from({ length: 28 }, (_, at) => wire(`w${at}`, `n${at}`, 900, 0));
  const letters = portalLetters([...many, wire("twin", "n1", 900, 100)]);
  expect([letters.get("w0"), letters.get("w1"), letters.get("twin")]).toEqual(["A", "B", "B"]);
  expect([letters.get("w25"), letters.get("w26"), letters.get("w27")]).toEqual(["Z", "AA", "AB"]);
});
