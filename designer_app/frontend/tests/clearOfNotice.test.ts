/** View in which a notice at the upper edge of the canvas covers no node. */

import { describe, expect, test } from "vitest";

import { clearOfNotice, depthOf } from "../src/canvas/clearOfNotice";

const ROOM = { width: 1000, height: 600 };
const NOTICE = { left: 300, right: 700, depth: 58 };
const VIEW = { x: 0, y: 0, zoom: 1 };

const box = (x: number, y: number) => ({ x, y, width: 200, height: 100 });

describe("a notice over the canvas", () => {
  test("leaves nodes that it does not cover where they are", () => {
    expect(clearOfNotice([box(400, 80)], VIEW, ROOM, NOTICE)).toBeUndefined();
    expect(clearOfNotice([box(40, 10)], VIEW, ROOM, NOTICE)).toBeUndefined();
    expect(clearOfNotice([box(400, -300)], VIEW, ROOM, NOTICE)).toBeUndefined();
    expect(clearOfNotice([], VIEW, ROOM, NOTICE)).toBeUndefined();
  });

  test("moves a covered node down where there is room, with all others", () => {
    const boxes = [box(400, 20), box(40, 400)];
    expect(clearOfNotice(boxes, VIEW, ROOM, NOTICE)).toEqual({ ...VIEW, y: 38 });
  });

  test("moves by pixels of the screen at any zoom", () => {
    const view = { x: 0, y: 0, zoom: 0.5 };
    expect(clearOfNotice([box(800, 40)], view, ROOM, NOTICE)).toEqual({ ...view, y: 38 });
  });

  test("shows the whole pipeline if nodes would leave the canvas or get below the bar", () => {
    expect(clearOfNotice([box(400, 20), box(40, 440)], VIEW, ROOM, NOTICE)).toBe("whole");
  });

  test("does not move a part of a pipeline that fills the canvas", () => {
    const boxes = [box(400, 20), box(40, 440), box(40, 900)];
    expect(clearOfNotice(boxes, VIEW, ROOM, NOTICE)).toBeUndefined();
    expect(clearOfNotice([box(400, -20), box(40, 300)], VIEW, ROOM, NOTICE)).toBeUndefined();
  });
});

test("the depth reaches from the canvas's edge below the notice", () => {
  const sides = { left: 0, right: 0, top: 0, bottom: 0 };
  expect(depthOf({ ...sides, top: 48 }, { ...sides, bottom: 94 })).toBe(58);
  expect(depthOf({ ...sides, top: 148 }, { ...sides, bottom: 94 })).toBe(0);
});
