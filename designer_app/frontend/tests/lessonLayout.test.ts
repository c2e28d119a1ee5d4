/** Lessons and chains as Tidy up lays them out: readable on a laptop, without a cut wire. */

import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { moveNodes } from "../src/graph/edits";
import { scaleOf } from "../src/graph/layout/fold";
import {
  type Box,
  READABLE_ZOOM,
  boxAround,
  nodeSize,
  portPlace,
} from "../src/graph/layout/geometry";
import { portalLabels } from "../src/graph/layout/portals";
import type { LinkedWire } from "../src/graph/layout/routeGrid";
import { USUAL_ROOM, tidy } from "../src/graph/layout/tidy";
import { tidyWithPreviews } from "../src/graph/layout/tidyWithPreviews";
import type { Catalog } from "../src/graph/catalog";
import type { PipelineDocument, Size } from "../src/graph/types";
import { CATALOG, LIBRARY, MODULES, pipeline } from "./cases";
import { documentOf } from "./documents";

const LESSONS = readdirSync(LIBRARY).filter((name) => name.endsWith(".json"));

describe.each(LESSONS)("%s", (name) => {
  const path = new URL(name, LIBRARY).pathname;
  const stored = JSON.parse(readFileSync(path, "utf8")) as PipelineDocument;
  const document = documentOf(stored);

  // `npx vitest run tests/lessonLayout.test.ts -u` writes new positions into the lessons, and
  // `python -m tests.pipelines.lessons.recorded_positions` from there into their recordings.
  test("has the positions of Tidy up", async () => {
    const wanted = { room: USUAL_ROOM, previews: true };
    const places = await tidyWithPreviews(document, MODULES, sizesOf(document, MODULES), wanted);
    const nodes = stored.nodes.map((node) => ({ ...node, position: places.get(node.id) }));
    const text = `${JSON.stringify({ ...stored, nodes }, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(path);
  });

  test("is one row of readable nodes without a cut wire", () => {
    const boxes = [...boxesOf(document, MODULES).values()];
    const extent = boxAround(boxes) ?? { width: 0, height: 0 };
    expect(scaleOf(extent, USUAL_ROOM)).toBeGreaterThanOrEqual(READABLE_ZOOM);
    expect(wiresOf(document, MODULES).filter(({ from, to }) => to.x <= from.x)).toEqual([]);
    expect(numCut(document, MODULES)).toBe(0);
  });

  test("has no note on a node", () => {
    const boxes = [...boxesOf(document, MODULES).values()];
    const notes = document.notes.map(({ position, ...size }) => ({ ...position, ...size }));
    expect(notes.filter((note) => boxes.some((box) => overlap(note, box)))).toEqual([]);
  });
});

describe("a chain", () => {
  const chain = (count: number): PipelineDocument => {
    const nodes = Array.from({ length: count }, (_, at) => `n${at}:${at ? "sleep" : "constant"}`);
    const links = nodes.slice(1).map((_, at) => `n${at}.output -> n${at + 1}.a`);
    return pipeline(nodes, links);
  };

  test.each([
    [2, 1],
    [7, 1],
    [10, 2],
    [30, 5],
  ])("of %i nodes has at most %i rows, all wires drawn", async (count, most) => {
    const document = chain(count);
    const sizes = sizesOf(document, CATALOG);
    const places = await tidy(document, CATALOG, sizes, { room: USUAL_ROOM });
    const tidied = moveNodes(document, places);
    const rows = new Set([...places.values()].map(({ y }) => y));
    expect(rows.size).toBeLessThanOrEqual(most);
    expect(numCut(tidied, CATALOG)).toBe(0);
    const extent = boxAround([...boxesOf(tidied, CATALOG).values()]) ?? { width: 0, height: 0 };
    if (count <= 10) expect(scaleOf(extent, USUAL_ROOM)).toBeGreaterThanOrEqual(READABLE_ZOOM);
  });
});

function sizesOf({ nodes }: PipelineDocument, catalog: Catalog): ReadonlyMap<string, Size> {
  return new Map(nodes.map((node) => [node.id, nodeSize(node, catalog.byId.get(node.module))]));
}

function boxesOf(document: PipelineDocument, catalog: Catalog): ReadonlyMap<string, Box> {
  return new Map(
    document.nodes.map((node) => [
      node.id,
      { ...node.position, ...nodeSize(node, catalog.byId.get(node.module)) },
    ]),
  );
}

function wiresOf(document: PipelineDocument, catalog: Catalog): readonly LinkedWire[] {
  const nodes = new Map(document.nodes.map((node) => [node.id, node]));
  return document.links.map(({ from, to }) => {
    const [source, target] = [nodes.get(from.node), nodes.get(to.node)];
    if (!source || !target) throw new Error("The link has no nodes.");
    const outputs = catalog.byId.get(source.module)?.outputs ?? [];
    const inputs = catalog.byId.get(target.module)?.inputs ?? [];
    const out = portPlace(
      "output",
      outputs.findIndex(({ id }) => id === from.port),
    );
    const into = portPlace(
      "input",
      inputs.findIndex(({ id }) => id === to.port),
    );
    return {
      id: `${to.node}.${to.port}`,
      net: `${from.node}.${from.port}`,
      source: from.node,
      target: to.node,
      from: { x: source.position.x + out.x, y: source.position.y + out.y },
      to: { x: target.position.x + into.x, y: target.position.y + into.y },
    };
  });
}

function numCut(document: PipelineDocument, catalog: Catalog): number {
  return portalLabels(wiresOf(document, catalog), boxesOf(document, catalog)).size;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
