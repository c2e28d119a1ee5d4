/** What a browser remembers of the panes, and the view that has a node in sight. */

import { describe, expect, test } from "vitest";

import { heightAbove, revealing } from "../src/canvas/revealing";
import { asTitle } from "../src/browser/tab";
import { enlarging } from "../src/canvas/useScreenPixels";
import { LIMITS, read } from "../src/view/panePreferences";

describe("remembered panes", () => {
  test("are usual where nothing or nonsense is stored", () => {
    for (const text of [null, "", "{", "[]", "3", '{"sizes": null}', '{"sizes": {"dock": "x"}}']) {
      const { sizes, settingsClosed } = read(text);
      expect(sizes.dock).toBe(LIMITS.dock.usual);
      expect(settingsClosed).toBe(false);
    }
  });

  test("keep within their limits", () => {
    const { sizes } = read('{"sizes": {"palette": 1e9, "settings": -5, "dock": 200.4}}');
    expect(sizes).toEqual({
      palette: LIMITS.palette.most,
      settings: LIMITS.settings.least,
      dock: 200,
    });
  });
});

describe("the view that has a node in sight", () => {
  const room = { width: 800, height: 600 };
  const box = { x: 700, y: 100, width: 200, height: 100 };

  test("stays where the node is seen", () => {
    expect(revealing(box, { x: -300, y: 0, zoom: 1 }, room, 0)).toBeUndefined();
  });

  test("moves no further than it takes", () => {
    expect(revealing(box, { x: 0, y: 0, zoom: 1 }, room, 0)).toEqual({ x: -124, y: 0, zoom: 1 });
  });

  test("is enlarged until the node can be read, never beyond its size", () => {
    expect(revealing(box, { x: 0, y: 0, zoom: 0.4 }, room, 0.75)?.zoom).toBe(0.75);
    expect(revealing(box, { x: 0, y: 0, zoom: 0.4 }, room, 3)?.zoom).toBe(1);
  });

  test("leaves free what stands above it", () => {
    const near = { ...box, x: 100, y: 30 };
    expect(revealing(near, { x: 0, y: 0, zoom: 1 }, room, 0)).toBeUndefined();
    expect(revealing(near, { x: 0, y: 0, zoom: 1 }, room, 0, 56)?.y).toBe(26);
  });

  test("is above the steps of a lesson that lie over the foot of the canvas", () => {
    const canvas = { left: 45, right: 390, top: 130, bottom: 808 };
    const steps = { left: 45, right: 390, top: 435, bottom: 808 };
    expect(heightAbove(canvas, steps)).toBe(305);
    expect(heightAbove(canvas, { ...steps, top: 140, bottom: 182 })).toBe(678);
    expect(heightAbove(canvas, { ...steps, left: 0, right: 45 })).toBe(678);
    expect(heightAbove(canvas, undefined)).toBe(678);
  });

  test("shows the beginning of what is larger than the canvas", () => {
    const large = { ...box, width: 2000 };
    expect(revealing(large, { x: 0, y: 0, zoom: 1 }, room, 0)?.x).toBe(24 - 700);
  });
});

test("what is to be read is enlarged as much as the canvas is smaller", () => {
  expect(enlarging(1.5)).toBe(1);
  expect(enlarging(0.5)).toBe(2);
  expect(enlarging(0.01)).toBe(4);
});

test("a title is written as the document gives it back", () => {
  expect(asTitle("Read \n digits ")).toBe("Read digits");
  expect(asTitle("")).toBe("");
});
