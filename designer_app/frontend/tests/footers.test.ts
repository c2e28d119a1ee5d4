/** Texts of footers fit into two lines: whole settings and parts of a summary, never half a word. */

import { describe, expect, test } from "vitest";

import { settingsText, shortSummary } from "../src/graph/nodeSummary";
import type { JsonValue, PipelineNode } from "../src/graph/types";
import { MODULES, lesson } from "./cases";

const TRAIN = lesson("01-digits").nodes.find(({ id }) => id === "train");

function settings(parameters: Readonly<Record<string, JsonValue>>, module?: string): string {
  const node = { ...TRAIN, module: module ?? TRAIN?.module, parameters } as PipelineNode;
  return settingsText(node, MODULES.byId.get(node.module));
}

describe("settings", () => {
  test("are those that differ from the default, in words", () => {
    expect(settings({ epochs: 4, batch_size: 64 })).toBe("epochs 4 · batch size 64");
    expect(settings({})).toBe("");
  });

  test("that do not fit are counted", () => {
    const many = { epochs: 4, batch_size: 64, learning_rate: 0.05, patience: 7, momentum: 0.5 };
    expect(settings(many)).toBe("epochs 4 · batch size 64 · +3");
  });

  test("that the node varies itself are their spaces, not JSON", () => {
    const tune = "tune_model_hyperparameters";
    expect(settings({}, tune)).toBe("learning rate 0.0001 to 0.1, logarithmic");
    const lines = ["Learning rate = 1e-3..1e-1:log", "batch_size=8,16", "", "patience", "= 1"];
    const text = settings({ values_to_try: lines, learning_rate: 0.5, epochs: 3 }, tune);
    expect(text).toBe("learning rate 0.001 to 0.1, logarithmic · +2");
    expect(settings({ values_to_try: ["epochs = x"] }, tune)).toBe("epochs x"); // not a space
    expect(settings({ values_to_try: [] }, tune)).toBe("");
    expect(settings({ values_to_try: 3, epochs: 3 }, tune)).toBe("epochs 3");
  });

  test("with a long text are shortened in the middle", () => {
    const text = settings(
      { source: `file:/home/someone/${"photos/".repeat(9)}2026` },
      "import_images",
    );
    expect(text).toMatch(/^file:\/home\/some.*….*\/2026$/);
    expect(text.length).toBeLessThan(40);
  });
});

test("a summary keeps its first parts, numbers included", () => {
  expect(shortSummary("1,797 images, 10 classes")).toBe("1,797 images, 10 classes");
  const scored = "98.1 % correct, 360 images scored, 144 images/s, 49 % of this machine's limit";
  expect(shortSummary(scored)).toBe("98.1 % correct, 360 images scored");
  const long = "one long part without any comma that is shown as it is";
  expect(shortSummary(long)).toBe(long);
});
