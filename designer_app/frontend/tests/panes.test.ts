/** Pane sizes that a browser stores, and the view that shows a node. */

import { describe, expect, test } from "vitest";

import { heightAbove, revealing } from "../src/canvas/revealing";
import { asTitle } from "../src/browser/tab";
import { enlarging } from "../src/canvas/useScreenPixels";
import { LIMITS, read } from "../src/view/panePreferences";

describe("remembered panes", () => {
  test("have default sizes if nothing valid is stored", () => {
    for (const text of [null, "", "{", "[]", "3", '{"sizes": null}', '{"sizes": {"dock": "x"}}']) {
      const { sizes, settingsClosed } = read(text);
      expect(sizes.dock).toBe(LIMITS.dock.usual);
      expect(settingsClosed).toBe(false);
    }
  });

  test("stay within their limits", () => {
    const { sizes } = read('{"sizes": {"palette": 1e9, "settings": -5, "dock": 200.4}}');
    expect(sizes).toEqual({
      palette: LIMITS.palette.most,
      settings: LIMITS.settings.least,
      dock: 200,
    });
  });
});

describe("the view that shows a node", () => {
  const room = { width: 800, height: 600 };
  const box = { x: 700, y: 100, width: 200, height: 100 };

  test("stays if the node is visible", () => {
    expect(revealing(box, { x: -300, y: 0, zoom: 1 }, room, 0)).toBeUndefined();
  });

  test("moves no further than necessary", () => {
    expect(revealing(box, { x: 0, y: 0, zoom: 1 }, room, 0)).toEqual({ x: -124, y: 0, zoom: 1 });
  });

  test("is enlarged until the node is readable, at most to its full size", () => {
    expect(revealing(box, { x: 0, y: 0, zoom: 0.4 }, room, 0.75)?.zoom).toBe(0.75);
    expect(revealing(box, { x: 0, y: 0, zoom: 0.4 }, room, 3)?.zoom).toBe(1);
  });

  test("keeps clear of the panel above", () => {
    const near = { ...box, x: 100, y: 30 };
    expect(revealing(near, { x: 0, y: 0, zoom: 1 }, room, 0)).toBeUndefined();
    expect(revealing(near, { x: 0, y: 0, zoom: 1 }, room, 0, 56)?.y).toBe(26);
  });

  test("is above the steps of a lesson that cover the lower part of the canvas", () => {
    const canvas = { left: 45, right: 390, top: 130, bottom: 808 };
    const steps = { left: 45, right: 390, top: 435, bottom: 808 };
    expect(heightAbove(canvas, steps)).toBe(305);
    expect(heightAbove(canvas, { ...steps, top: 140, bottom: 182 })).toBe(678);
    expect(heightAbove(canvas, { ...steps, left: 0, right: 45 })).toBe(678);
    expect(heightAbove(canvas, undefined)).toBe(678);
  });

  test("shows the top left of a node larger than the canvas", () => {
    const large = { ...box, width: 2000 };
    expect(revealing(large, { x: 0, y: 0, zoom: 1 }, room, 0)?.x).toBe(24 - 700);
  });
});

test("text is enlarged as much as the canvas is reduced", () => {
  expect(enlarging(1.5)).toBe(1);
  expect(enlarging(0.5)).toBe(2);
  expect(enlarging(0.01)).toBe(4);
});

test("a title is written as the document returns it", () => {
  expect(asTitle("Read \n digits ")).toBe("Read digits");
  expect(asTitle("")).toBe("");
});
