/** ONNX files contain their pipeline in the metadata; their weights are not read. */

import { expect, test } from "vitest";

import { readDropped } from "../src/browser/files";

const DOCUMENT = { format: "pipeline-designer/2", id: "birds", nodes: [], links: [] };
const encoder = new TextEncoder();

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function field(number: number, content: Uint8Array | number[]): number[] {
  return [...varint(number * 8 + 2), ...varint(content.length), ...content];
}

function entry(key: string, value: string): number[] {
  return field(14, [...field(1, encoder.encode(key)), ...field(2, encoder.encode(value))]);
}

function onnx(...parts: number[][]): File {
  const version = [8, 10];
  const graph = field(7, new Uint8Array(300_000));
  return new File([new Uint8Array([...version, ...graph, ...parts.flat()])], "model.onnx");
}

test("an exported model opens the pipeline that made it", async () => {
  const file = onnx(entry("labels", "[]"), entry("pipeline-designer", JSON.stringify(DOCUMENT)));
  expect(await readDropped(file)).toEqual({
    kind: "pipeline",
    content: DOCUMENT,
    name: "model.onnx",
  });
});

test.each([
  ["of another program", onnx(entry("author", "me"))],
  ["whose pipeline is null", onnx(entry("pipeline-designer", "null"))],
  ["whose pipeline is damaged", onnx(entry("pipeline-designer", "{"))],
  ["with an entry that is damaged", onnx(field(14, [10, 200]))],
  ["that ends within a field", onnx([...varint(14 * 8 + 2), 255, 255])],
  ["that is text", new File(["hello, world"], "model.onnx")],
  ["that is empty", new File([], "model.onnx")],
  ["of endless fields", new File([new Uint8Array(50_000)], "model.onnx")],
])("a file %s is refused with a reason", async (_, file) => {
  expect((await readDropped(file)).kind).toBe("unknown");
});
