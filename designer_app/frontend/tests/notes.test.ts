/** Notes on the canvas: their frames, resized by their edges. */

import { expect, test } from "vitest";

import { withMovedEdges } from "../src/canvas/noteSize";

const NOTE = { position: { x: 16, y: 24 }, width: 200, height: 104 };
const RIGHT = 216;
const BOTTOM = 128;

test("a dragged edge snaps to the grid, and the opposite edge stays", () => {
  const wider = withMovedEdges(NOTE, ["right"], { x: 21, y: 99 }, 8);
  expect(wider).toEqual({ ...NOTE, width: 224 });
  const corner = withMovedEdges(NOTE, ["top", "left"], { x: -17, y: 15 }, 8);
  expect(corner.position).toEqual({ x: 0, y: 40 });
  expect([corner.position.x + corner.width, corner.position.y + corner.height]).toEqual([
    RIGHT,
    BOTTOM,
  ]);
});

test("a note keeps enough room for its text", () => {
  const small = withMovedEdges(NOTE, ["bottom", "left"], { x: 900, y: -900 }, 8);
  expect(small).toEqual({ position: { x: RIGHT - 120, y: 24 }, width: 120, height: 48 });
});
