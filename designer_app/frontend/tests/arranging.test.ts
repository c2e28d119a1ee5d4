/** Manual layout: waypoints, guides, the lasso, numbered titles, and the fix of an open input. */

import { describe, expect, it } from "vitest";

import { duplicate } from "../src/graph/copies";
import { addNode, nodeOf } from "../src/graph/edits";
import { addWaypoint, moveWaypoint } from "../src/graph/leading";
import { alignedTo } from "../src/graph/layout/guides";
import { boxesIn } from "../src/graph/layout/lasso";
import { linkAt } from "../src/graph/lookup";
import { NULL_OR_EMPTY, problemOf } from "../src/graph/problems";
import { remedyOf } from "../src/graph/remedies";
import { titleAmong, twinNumber } from "../src/graph/titles";
import {
  carryWaypoints,
  dropWaypoints,
  removeWaypoints,
  waypointsOf,
} from "../src/graph/waypoints";
import type { PipelineDocument } from "../src/graph/types";
import { CATALOG, pipeline } from "./cases";

const TO = { node: "whole", port: "a" };
const wired = pipeline(["constant", "whole"], ["constant.output -> whole.a"]);
const ENDS = [
  { x: 0, y: 0 },
  { x: 100, y: 0 },
] as const;
const points = (document: PipelineDocument): unknown => waypointsOf(linkAt(document, TO));

describe("waypoints", () => {
  const near = { x: 20, y: 40 };
  const far = { x: 80.4, y: 40 };
  const led = addWaypoint(addWaypoint(wired, TO, far, ENDS), TO, near, ENDS);

  it("are in order along the wire, on whole pixels", () => {
    expect(points(led)).toEqual([near, { x: 80, y: 40 }]);
  });

  it("are moved, and removed one by one or all at once", () => {
    expect(points(moveWaypoint(led, TO, 0, { x: 1, y: 2 }))).toEqual([
      { x: 1, y: 2 },
      { x: 80, y: 40 },
    ]);
    expect(points(removeWaypoints(led, TO, 0))).toEqual([{ x: 80, y: 40 }]);
    expect(linkAt(removeWaypoints(led, TO), TO)).toEqual(linkAt(wired, TO));
  });

  it("move with both ends, and stay if only one end moves", () => {
    const by = { x: 10, y: -5 };
    const both = new Map([
      ["constant", by],
      ["whole", by],
    ]);
    expect(points(carryWaypoints(led, both))).toEqual([
      { x: 30, y: 35 },
      { x: 90, y: 35 },
    ]);
    expect(carryWaypoints(led, new Map([["whole", by]])).links).toEqual(led.links);
  });

  it("are removed when their nodes are laid out again, and copied with their nodes", () => {
    expect(points(dropWaypoints(led, new Set(["constant", "whole"])))).toEqual([]);
    expect(dropWaypoints(led, new Set(["whole"]))).toBe(led);
    const copy = duplicate(led, ["constant", "whole"]).links.at(-1);
    expect(waypointsOf(copy)).toHaveLength(2);
  });
});

describe("guides", () => {
  const other = { x: 0, y: 0, width: 200, height: 100 };

  it("align a box with the nearest edge or middle", () => {
    const aligned = alignedTo({ x: 3, y: 300, width: 200, height: 80 }, [other], 5);
    expect([aligned.dx, aligned.dy]).toEqual([-3, 0]);
    expect(aligned.guides).toEqual([{ axis: "x", at: 0, from: 0, to: 380 }]);
  });

  it("are empty if no box is near", () => {
    const aligned = alignedTo({ x: 40, y: 300, width: 90, height: 80 }, [other], 5);
    expect(aligned).toEqual({ dx: 0, dy: 0, guides: [] });
  });
});

describe("the lasso", () => {
  it("selects the boxes whose middle is inside", () => {
    const boxes = new Map([
      ["in", { x: 10, y: 10, width: 20, height: 20 }],
      ["out", { x: 90, y: 10, width: 40, height: 20 }],
    ]);
    const line = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 50, y: 60 },
    ];
    expect(boxesIn(line, boxes)).toEqual(["in"]);
    expect(boxesIn([], boxes)).toEqual([]);
  });
});

describe("nodes of the same title", () => {
  it("are numbered", () => {
    const two = addNode(wired, CATALOG, "constant");
    const names = two.nodes.map((node) => titleAmong(two.nodes, node, CATALOG));
    expect(names).toEqual(["Constant 1", "Round", "Constant 2"]);
    expect(twinNumber(two.nodes, "whole", CATALOG)).toBeUndefined();
  });
});

describe("an open input", () => {
  const open = pipeline(["constant", "whole"]);
  const fixFor = (document: PipelineDocument): ReturnType<typeof remedyOf> => {
    const statement = { sentence: ["k", "m", "c"], facts: {} } as const;
    return remedyOf(problemOf(NULL_OR_EMPTY, statement, TO), document, CATALOG);
  };

  it("is connected by one click if exactly one output fits", () => {
    const remedy = fixFor(open);
    expect(remedy?.label).toBe("Connect output of Constant");
    expect(linkAt(remedy?.edit?.(open, CATALOG) ?? open, TO)?.from.node).toBe("constant");
  });

  it("is left to the user if several outputs fit", () => {
    expect(fixFor(addNode(open, CATALOG, "constant"))).toBeUndefined();
    expect(nodeOf(open, "whole").id).toBe("whole");
  });
});
