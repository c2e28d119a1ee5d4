/** Metrics are named and formatted as on the command line and in the pages. */

import { describe, expect, test } from "vitest";

import { metricText, metricWords } from "../src/view/metricWords";
import { load } from "./cases";

interface Cases {
  readonly words: readonly (readonly [string, string])[];
  readonly texts: readonly (readonly [string, number | null, string])[];
}

const { words, texts } = load<Cases>("metrics.json");

describe("metric formats shared with Python", () => {
  test.each(words)("%s", (name, expected) => {
    expect(metricWords(name)).toBe(expected);
  });
  test.each(texts)("%s of %s", (name, value, expected) => {
    expect(metricText(name, value)).toBe(expected);
  });
});
