/** Tidy up, folding into rows, and routes of wires around nodes. */

import { describe, expect, test } from "vitest";

import { makeCatalog } from "../src/graph/catalog";
import { moveNodes } from "../src/graph/edits";
import { type Layer, fold, scaleOf } from "../src/graph/layout/fold";
import { withPlaces } from "../src/store/withPlaces";
import { type Box, boxAround, isUnplaced, nodeSize } from "../src/graph/layout/geometry";
import { PREVIEW_ROOM, previewSize } from "../src/graph/layout/previewRoom";
import { roomAboveWires, stretchesOf } from "../src/graph/layout/roomBelow";
import { routes } from "../src/graph/layout/route";
import { tidy } from "../src/graph/layout/tidy";
import { tidyWithPreviews } from "../src/graph/layout/tidyWithPreviews";
import { roundedPath, wirePaths } from "../src/graph/layout/wirePaths";
import { placed } from "../src/graph/layout/unplaced";
import { makeSubPipeline } from "../src/graph/subPipelines";
import type { Definition, PipelineNode, Position, Size } from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";

const WIDE = { width: 1200, height: 760 };

describe("folding layers into rows", () => {
  test("a long chain is larger than in one row, and each layer is in one row", () => {
    const layers = chain(12);
    const places = fold(layers, WIDE);
    const box = around(places);
    const row = { width: 12 * 200 + 11 * 48, height: 100 };
    expect(scaleOf(box, WIDE)).toBeGreaterThan(1.5 * scaleOf(row, WIDE));
    expect(new Set([...places.values()].map(({ x, y }) => `${x},${y}`)).size).toBe(12);
  });

  test("one row that fits at full size stays; a narrow canvas gets a column", () => {
    const rows = (room: typeof WIDE, count: number): number =>
      new Set([...fold(chain(count), room).values()].map(({ y }) => y)).size;
    expect(rows(WIDE, 4)).toBe(1);
    expect(rows({ width: 300, height: 900 }, 4)).toBe(4);
  });

  test("a high layer is split into several columns", () => {
    const [first] = chain(1);
    const boxes = Array.from({ length: 11 }, (_, at) => ({
      id: `f${at}`,
      x: 250,
      y: 132 * at,
      width: 200,
      height: 100,
    }));
    const places = fold([...(first ? [first] : []), { boxes, crossing: 0 }], WIDE);
    expect(places.size).toBe(12);
    expect(scaleOf(around(places), WIDE)).toBeGreaterThan(0.8);
  });

  test("more links between rows keep them further apart", () => {
    const room = { width: 300, height: 900 };
    const second = (crossing: number): number => fold(chain(2, crossing), room).get("n1")?.y ?? NaN;
    expect(second(5)).toBeGreaterThan(second(1));
  });
});

describe("tidying", () => {
  const names = ["constant", "round", "sum", "add", "split", "number", "text"];

  test("nodes without wires are in the order of the document, in straight columns", async () => {
    const document = pipeline(names.map((name) => `${name}:constant`));
    const places = await tidy(document, CATALOG, new Map());
    const reading = [...places].sort(([, a], [, b]) => a.y - b.y || a.x - b.x).map(([id]) => id);
    expect(reading).toEqual(names);
    const columns = new Set([...places.values()].map(({ x }) => x));
    expect(columns.size).toBe(3);
  });

  test("nodes without wires are below the others", async () => {
    const document = pipeline(["lone:constant", "a:constant", "b:sleep"], ["a.output -> b.a"]);
    const places = await tidy(document, CATALOG, new Map());
    const y = (id: string): number => places.get(id)?.y ?? NaN;
    expect(y("lone")).toBeGreaterThan(Math.max(y("a"), y("b")));
  });

  test("a second time changes nothing, and nothing overlaps", async () => {
    const links = Array.from({ length: 11 }, (_, at) => `n${at}.output -> n${at + 1}.a`);
    const nodes = ["n0:constant", ...links.map((_, at) => `n${at + 1}:sleep`)];
    const document = pipeline(nodes, links);
    const sizes = new Map(
      document.nodes.map((node) => [node.id, nodeSize(node, CATALOG.byId.get(node.module))]),
    );
    const once = await tidy(document, CATALOG, sizes, { room: WIDE });
    const again = await tidy(moveNodes(document, once), CATALOG, sizes, { room: WIDE });
    expect([...again]).toEqual([...once]);
    const boxes = [...once].map(([id, place]) => ({
      ...place,
      ...(sizes.get(id) ?? { width: 0, height: 0 }),
    }));
    for (const one of boxes)
      for (const other of boxes) expect(one === other || !overlap(one, other)).toBe(true);
  });
});

describe("documents without positions", () => {
  const bare = pipeline(["one:constant", "two:constant", "sum:add"], ["one.output -> sum.a"]);
  const spots = (document: { nodes: readonly { position: Position }[] }): number =>
    new Set(document.nodes.map(({ position: { x, y } }) => `${x} ${y}`)).size;

  test("are distinguished from those with one node at the origin", () => {
    expect(isUnplaced(bare)).toBe(true);
    const [first, ...others] = bare.nodes as [PipelineNode, ...PipelineNode[]];
    const moved = others.map((node, at) => ({ ...node, position: { x: 300 + 200 * at, y: 0 } }));
    expect(isUnplaced({ nodes: [first, ...moved] })).toBe(false);
    expect(isUnplaced({ nodes: [] })).toBe(false);
  });

  test("are tidied, including their sub-pipelines; others stay unchanged", async () => {
    const whole = makeSubPipeline(bare, CATALOG, ["one", "sum"]);
    const stacked = { ...whole, nodes: whole.nodes.map(atOrigin) };
    const [definition] = stacked.definitions as [Definition];
    const { nodes } = definition;
    const all = { ...stacked, definitions: [{ ...definition, nodes: nodes.map(atOrigin) }] };
    const tidied = await placed(all, CATALOG);
    expect(spots(tidied)).toBe(2);
    expect(tidied.definitions?.map(spots)).toEqual([2]);
    expect(await placed(tidied, CATALOG)).toBe(tidied);
  });

  test("are tidied inside their sub-pipelines if only those have no positions", async () => {
    const whole = makeSubPipeline(bare, CATALOG, ["one", "sum"]);
    const [definition] = whole.definitions as [Definition];
    const inside = { ...definition, nodes: definition.nodes.map(atOrigin) };
    const nodes = whole.nodes.map((node, at) => ({ ...node, position: { x: 400 * at, y: 8 } }));
    const tidied = await withPlaces({ ...whole, nodes, definitions: [inside] }, CATALOG);
    expect(tidied.nodes).toBe(nodes);
    expect(tidied.definitions?.map(spots)).toEqual([2]);
  });

  test("keep existing positions, with the other nodes below", async () => {
    const [first, ...others] = bare.nodes as [PipelineNode, ...PipelineNode[]];
    const kept = { ...first, position: { x: 120, y: 80 } };
    const partly = await withPlaces({ ...bare, nodes: [kept, ...others] }, CATALOG);
    expect(partly.nodes[0]).toBe(kept);
    expect(spots(partly)).toBe(3);
    for (const { position } of partly.nodes.slice(1)) {
      expect(position.y).toBeGreaterThan(kept.position.y + 100);
    }
  });

  test("keep the shown positions, and new nodes overlap nothing", async () => {
    const [one, two, sum] = bare.nodes as [PipelineNode, PipelineNode, PipelineNode];
    const shown = await withPlaces({ ...bare, nodes: [one, two] }, CATALOG);
    const later = await withPlaces(bare, CATALOG, shown);
    expect(later.nodes.slice(0, 2)).toEqual(shown.nodes);
    expect(spots(later)).toBe(3);
    const aside = { ...sum, position: { x: 900, y: 0 } };
    const apart = await withPlaces({ ...bare, nodes: [one, aside] }, CATALOG, {
      ...bare,
      nodes: [aside],
    });
    expect(apart.nodes[0]?.position).toEqual({ x: 0, y: 0 }); // a user may have moved it
  });
});

const atOrigin = (node: PipelineNode): PipelineNode => ({ ...node, position: { x: 0, y: 0 } });

describe("routes of wires", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 200, height: 100 });
  const wire = (id: string, from: Position, to: Position) => ({
    id,
    net: id,
    source: "a",
    target: "b",
    from,
    to,
  });

  test("an unobstructed wire to the right is a plain curve", () => {
    const boxes = new Map([
      ["a", box(0, 0)],
      ["b", box(300, 0)],
    ]);
    const free = wire("w", { x: 200, y: 50 }, { x: 300, y: 50 });
    expect(wirePaths(boxes, [free]).size).toBe(0);
  });

  test("a wire goes around a node in its way", () => {
    const between = box(300, 0);
    const boxes = new Map([
      ["a", box(0, 0)],
      ["between", between],
      ["b", box(600, 0)],
    ]);
    const barred = wire("w", { x: 200, y: 50 }, { x: 600, y: 50 });
    expect([...wirePaths(boxes, [barred]).keys()]).toEqual(["w"]);
    const way = routes([...boxes.values()], [barred]).get("w") ?? [];
    expect(way.at(0)).toEqual(barred.from);
    expect(way.at(-1)).toEqual(barred.to);
    expect(isClear(way, [between])).toBe(true);
  });

  test("wires that lead back keep away from nodes and from each other", () => {
    const boxes = [box(0, 200), box(300, 0), box(300, 200)];
    const wires = [0, 1, 2].map((at) =>
      wire(`w${at}`, { x: 500, y: 20 + 20 * at }, { x: 0, y: 220 + 20 * at }),
    );
    const ways = routes(boxes, wires);
    expect(ways.size).toBe(3);
    for (const way of ways.values()) expect(isClear(way.slice(1, -1), boxes)).toBe(true);
    const level = [...ways.values()].map((way) => way[2]?.y);
    expect(new Set(level).size).toBe(3);
  });

  test("wires of one output share a line as long as they have the same direction", () => {
    const boxes = [box(0, 0), box(300, 0), box(600, 0), box(0, 300), box(300, 300)];
    const from = { x: 800, y: 50 };
    const ways = routes(boxes, [
      { ...wire("near", from, { x: 300, y: 350 }), net: "one" },
      { ...wire("far", from, { x: 0, y: 350 }), net: "one" },
    ]);
    const [near, far] = [ways.get("near") ?? [], ways.get("far") ?? []];
    expect(near.slice(0, 3)).toEqual(far.slice(0, 3));
    expect(near[3]?.y).toBe(far[3]?.y);
  });

  test("a port enclosed by nodes has no route", () => {
    const wall = { x: 190, y: -500, width: 100, height: 1100 };
    const barred = wire("w", { x: 200, y: 50 }, { x: 600, y: 50 });
    expect(routes([box(0, 0), wall, box(600, 0)], [barred]).size).toBe(0);
  });

  test("the radius of a corner is limited by the length of its lines", () => {
    const way = [
      { x: 0, y: 0 },
      { x: 4, y: 0 },
      { x: 4, y: 100 },
    ];
    expect(roundedPath(way)).toBe("M0 0L2 0Q4 0 4 2L4 100");
    expect(roundedPath([])).toBe("");
  });
});

function chain(count: number, crossing = 1): readonly Layer[] {
  return Array.from({ length: count }, (_, at) => ({
    boxes: [{ id: `n${at}`, x: 250 * at, y: 0, width: 200, height: 100 }],
    crossing,
  }));
}

function around(places: ReadonlyMap<string, Position>): Box {
  const boxes = [...places.values()].map((place) => ({ ...place, width: 200, height: 100 }));
  return boxAround(boxes) ?? { x: 0, y: 0, width: 0, height: 0 };
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/** Return true if no part of the route touches a box. */
function isClear(way: readonly Position[], boxes: readonly Box[]): boolean {
  return way.slice(1).every((to, at) => {
    const from = way[at] ?? to;
    const part = {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x) || 1,
      height: Math.abs(from.y - to.y) || 1,
    };
    return boxes.every((box) => !overlap(part, box));
  });
}

describe("tidying with room for previews", () => {
  const pictured = makeCatalog({
    ...CATALOG.spec,
    modules: CATALOG.spec.modules.map((module) => ({
      ...module,
      outputs: module.outputs.map((port) => ({ ...port, type: "ImageDirectory" })),
    })),
  });
  const branches = ["x", "y", "z"].map((id) => `source.output -> ${id}.a`);
  const document = pipeline(["source:constant", "x:sleep", "y:sleep", "z:sleep"], branches);
  const sizes = new Map(document.nodes.map(({ id }) => [id, { width: 200, height: 100 }]));
  const gapsIn = async (room: Size): Promise<readonly number[]> => {
    const places = await tidyWithPreviews(document, pictured, sizes, { room, previews: true });
    const tops = ["x", "y", "z"].map((id) => places.get(id)?.y ?? NaN).sort((a, b) => a - b);
    return tops.slice(1).map((top, at) => top - (tops[at] ?? NaN) - 100);
  };

  test("previews have their full size below nodes", async () => {
    const full = previewSize(Infinity, Infinity);
    const gaps = await gapsIn(WIDE);
    expect(gaps.map((gap) => previewSize(gap, Infinity))).toEqual([full, full]);
  });

  test("nodes stay close if they would otherwise be too small to read", async () => {
    const [one = NaN, other = NaN] = await gapsIn({ width: 400, height: 330 });
    expect(Math.max(one, other)).toBeLessThan(PREVIEW_ROOM);
  });
});

describe("previews below nodes", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 200, height: 100 });
  const back = {
    id: "back",
    net: "back",
    source: "b",
    target: "a",
    from: { x: 500, y: 450 },
    to: { x: 0, y: 50 },
  };
  const nodes = new Map([
    ["a", box(0, 0)],
    ["c", box(300, 0)],
    ["b", box(300, 400)],
  ]);

  test("wires pass below them if both fit", () => {
    const path = wirePaths(nodes, [back], new Set(["a", "c"])).get("back") ?? "";
    const pictures = 52;
    expect(roomAboveWires(box(0, 0), stretchesOf(path))).toBeGreaterThan(pictures);
    expect(roomAboveWires(box(300, 0), stretchesOf(path))).toBeGreaterThan(pictures);
    const plain = wirePaths(nodes, [back]).get("back") ?? "";
    expect(roomAboveWires(box(300, 0), stretchesOf(plain))).toBeLessThan(pictures);
  });

  test("previews avoid the next node's status pill and wires, or are left out", () => {
    expect(previewSize(Infinity, Infinity)).toEqual({ edge: 44, width: 188 });
    expect(previewSize(52, Infinity)).toEqual({ edge: 30, width: 188 });
    expect(previewSize(34, Infinity)).toEqual({ edge: 26, width: 120 });
    expect(previewSize(Infinity, 18)).toBeUndefined();
    expect(previewSize(20, Infinity)).toBeUndefined();
  });
});

test("a curve that would touch the ports of another node is led around it", () => {
  const nodes = new Map([
    ["a", { x: 0, y: 0, width: 200, height: 100 }],
    ["other", { x: 100, y: 130, width: 120, height: 60 }],
    ["b", { x: 260, y: 200, width: 200, height: 100 }],
  ]);
  const wire = { id: "w", net: "w", source: "a", target: "b" };
  const grazing = { ...wire, from: { x: 200, y: 50 }, to: { x: 260, y: 250 } };
  expect(wirePaths(nodes, [grazing]).size).toBe(1);
});
