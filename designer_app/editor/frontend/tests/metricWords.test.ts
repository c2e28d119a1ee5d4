/** Metrics are told in the words that the command line and the pages use. */

import { describe, expect, test } from "vitest";

import { metricText, metricWords } from "../src/view/metricWords";
import { load } from "./cases";

interface Cases {
  readonly words: readonly (readonly [string, string])[];
  readonly texts: readonly (readonly [string, number | null, string])[];
}

const { words, texts } = load<Cases>("metrics.json");

describe("metrics in shared words", () => {
  test.each(words)("%s", (name, told) => {
    expect(metricWords(name)).toBe(told);
  });
  test.each(texts)("%s of %s", (name, value, told) => {
    expect(metricText(name, value)).toBe(told);
  });
});
