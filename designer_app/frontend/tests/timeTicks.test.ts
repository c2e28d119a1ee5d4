/** Axis of the timeline: round times for runs of any length. */

import fc from "fast-check";
import { expect, test } from "vitest";

import { timeTicks } from "../src/graph/timeTicks";
import { formatSeconds } from "../src/view/format";

test.each([
  [36.4, ["0.0 s", "10 s", "20 s", "30 s"]],
  [2.2, ["0.0 s", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]],
  [82, ["0.0 s", "15 s", "30 s", "45 s", "1 min", "1 min 15 s"]],
  [10_800, ["0.0 s", "1 h", "2 h", "3 h"]],
])("of %d seconds", (seconds, texts) => {
  expect(timeTicks(seconds).map(formatSeconds)).toEqual(texts);
});

test("there are a few, evenly spaced, none after the end", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.5, max: 1e7, noNaN: true }), (seconds) => {
      const ticks = timeTicks(seconds);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.at(-1)).toBeLessThanOrEqual(seconds * (1 + 1e-6));
    }),
  );
});
