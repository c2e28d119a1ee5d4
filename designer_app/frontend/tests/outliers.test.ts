/** Curves with values far above the others: cases shared with Python. */

import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { clipLimit } from "../src/graph/outliers";
import { keptEpoch } from "../src/panels/results/Curves";
import { LineChart } from "../src/panels/results/LineChart";
import { load } from "./cases";

const cases = load<readonly { values: readonly number[]; limit: number | null }[]>("outliers.json");

test.each(cases)("$values is shown up to $limit", ({ values, limit }) => {
  expect(clipLimit(values)).toBe(limit);
});

test("what is no number is left out", () => {
  expect(clipLimit([NaN, Infinity, 2, 1, 1.5, 1.2])).toBeNull();
});

/** Texts of the marks at the upper edge of a chart of these losses. */
function marksOf(losses: readonly number[]): readonly string[] {
  const points = losses.map((value, place) => ({ step: place + 1, value, time: 0 }));
  const drawn = renderToStaticMarkup(createElement(LineChart, { metric: "Valid loss", points }));
  return [...drawn.matchAll(/pd-chart-outlier[^>]*><title>([^<]*)/g)].map(([, text = ""]) => text);
}

test("a chart marks each value above it, with the value", () => {
  const usual = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
  expect(marksOf([80000, ...usual])).toEqual(["80,000 at 1, above the chart"]);
  expect(marksOf(usual)).toEqual([]);
});

interface Training {
  readonly curves: Readonly<Record<string, readonly (number | null)[]>>;
  readonly epoch: number | null;
}

test.each(load<readonly Training[]>("kept_epochs.json"))(
  "the epoch whose weights are kept is the one of Python: %o",
  ({ curves, epoch }) => {
    const points = Object.entries(curves).map(([name, values]) => [
      name,
      values.map((value, place) => ({ step: place + 1, value, time: 0 })),
    ]);
    expect(keptEpoch(Object.fromEntries(points)) ?? null).toBe(epoch);
  },
);

test("a chart shows the value of the epoch whose weights are kept, until then the last one", () => {
  const values = [0.4, 0.2, 0.3];
  const points = values.map((value, place) => ({ step: place + 1, value, time: 0 }));
  const drawn = (epoch?: number): string =>
    renderToStaticMarkup(createElement(LineChart, { metric: "Valid loss", points, kept: epoch }));
  expect(drawn(2)).toContain("epoch 2</span><b>0.2</b>");
  expect(drawn(3)).not.toContain("epoch");
  expect(drawn()).toContain("<b>0.3</b>");
});
