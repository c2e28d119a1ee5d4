/** Text in a PNG file: an iTXt chunk with the keyword `pipeline-designer`. */

import { crc32 } from "./crc32";

const KEYWORD = "pipeline-designer";
const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** Return the image with the text, which replaces an earlier one. */
export function withText(png: Uint8Array, text: string): Uint8Array {
  const chunks = chunksOf(png).filter((chunk) => keywordOf(chunk) !== KEYWORD);
  const end = chunks.findIndex((chunk) => chunk.type === "IEND");
  const ours = { type: "iTXt", data: textChunk(text) };
  return assembled([...chunks.slice(0, end), ours, ...chunks.slice(end)]);
}

/** Return the text in an image; undefined if there is none. */
export function textInPng(png: Uint8Array): string | undefined {
  const chunk = chunksOf(png).find((chunk) => keywordOf(chunk) === KEYWORD);
  // keyword, NUL, not compressed, method, no language, NUL, no translated keyword, NUL
  return chunk && new TextDecoder().decode(chunk.data.subarray(KEYWORD.length + 5));
}

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, place) => bytes[place] === byte);
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Return the chunks of a file; truncated or damaged ones are left out. */
function chunksOf(png: Uint8Array): readonly Chunk[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  let at = isPng(png) ? SIGNATURE.length : png.length;
  while (at + 12 <= png.length) {
    const length = view.getUint32(at);
    if (at + 12 + length > png.length) break;
    const type = String.fromCharCode(...png.subarray(at + 4, at + 8));
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function keywordOf(chunk: Chunk): string | undefined {
  if (chunk.type !== "iTXt") return undefined;
  const end = chunk.data.indexOf(0);
  // only what withText wrote: not compressed, without language
  const plain = chunk.data.subarray(end, end + 5).every((byte) => byte === 0);
  return end > 0 && plain ? String.fromCharCode(...chunk.data.subarray(0, end)) : undefined;
}

function textChunk(text: string): Uint8Array {
  const content = new TextEncoder().encode(text);
  const data = new Uint8Array(KEYWORD.length + 5 + content.length);
  data.set(new TextEncoder().encode(KEYWORD));
  data.set(content, KEYWORD.length + 5);
  return data;
}

function assembled(chunks: readonly Chunk[]): Uint8Array {
  const length = chunks.reduce((sum, chunk) => sum + chunk.data.length + 12, SIGNATURE.length);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const { type, data } of chunks) {
    view.setUint32(at, data.length);
    bytes.set(new TextEncoder().encode(type), at + 4);
    bytes.set(data, at + 8);
    view.setUint32(at + 8 + data.length, crc32(bytes.subarray(at + 4, at + 8 + data.length)));
    at += 12 + data.length;
  }
  return bytes;
}
