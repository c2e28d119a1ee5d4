/** Model weights contain their pipeline in the header; damaged files are reported, not thrown. */

import { expect, test } from "vitest";

import { readDropped } from "../src/browser/files";

const DOCUMENT = { format: "pipeline-designer/2", id: "birds", nodes: [], links: [] };

function weights(header: string, length = new TextEncoder().encode(header).length): File {
  const size = new DataView(new ArrayBuffer(8));
  size.setBigUint64(0, BigInt(length), true);
  return new File([size.buffer, header, new Uint8Array(64)], "model.safetensors");
}

function carrying(text: string): string {
  return JSON.stringify({ __metadata__: { format: "pt", "pipeline-designer": text } });
}

test("a model opens the pipeline that made it", async () => {
  const dropped = await readDropped(weights(carrying(JSON.stringify(DOCUMENT))));
  expect(dropped).toEqual({ kind: "pipeline", content: DOCUMENT, name: "model.safetensors" });
});

test.each([
  ["of another program", weights("{}")],
  ["without a pipeline", weights(carrying("null"))],
  ["of another type", weights('{"__metadata__": {"pipeline-designer": 7}}')],
  ["damaged", weights("{")],
  ["damaged inside", weights(carrying("{"))],
  ["of an absurd length", weights("{}", 2 ** 50)],
  ["too short", new File(["abc"], "model.safetensors")],
])("a file %s is refused with a reason", async (_, file) => {
  const dropped = await readDropped(file);
  expect(dropped.kind).toBe("unknown");
});
