/** Metadata of an ONNX file, a protobuf message, read without its graph and weights. */

/** Fields of the message `ModelProto`, and of an entry of its metadata. */
const METADATA_FIELD = 14;
const KEY_FIELD = 1;
const VALUE_FIELD = 2;
const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;
/** A tag and a length have at most ten bytes each. */
const HEADER_BYTES = 20;
/** Files of ONNX have about ten fields; a damaged file could have one in every byte. */
const MAX_FIELDS = 10_000;

interface Field {
  readonly number: number;
  /** Position and length of the content, in bytes. */
  readonly start: number;
  readonly length: number;
}

/** Return the text of an entry of the metadata; undefined if there is none, or it is longer. */
export async function metadataInOnnx(
  file: Blob,
  key: string,
  maxBytes: number,
): Promise<string | undefined> {
  let offset = 0;
  for (let count = 0; offset < file.size && count < MAX_FIELDS; count += 1) {
    const header = await bytesOf(file, offset, HEADER_BYTES);
    const field = fieldAt(header, 0);
    if (field === undefined) return undefined;
    const start = offset + field.start;
    if (field.number === METADATA_FIELD && field.length <= maxBytes) {
      const [name, value] = entryIn(await bytesOf(file, start, field.length));
      if (name === key) return value;
    }
    offset = start + field.length;
  }
  return undefined;
}

async function bytesOf(file: Blob, start: number, length: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(start, start + length).arrayBuffer());
}

function entryIn(bytes: Uint8Array): [string | undefined, string | undefined] {
  const texts: (string | undefined)[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const field = fieldAt(bytes, offset);
    if (field === undefined) break;
    const content = bytes.subarray(field.start, field.start + field.length);
    texts[field.number] = new TextDecoder().decode(content);
    offset = field.start + field.length;
  }
  return [texts[KEY_FIELD], texts[VALUE_FIELD]];
}

/** Return the field whose tag is at the offset; undefined if it is not a valid one. */
function fieldAt(bytes: Uint8Array, offset: number): Field | undefined {
  const tag = varintAt(bytes, offset);
  if (tag === undefined) return undefined;
  const [value, start] = tag;
  const number = Math.floor(value / 8);
  const wire = value % 8;
  if (wire === FIXED_64) return { number, start, length: 8 };
  if (wire === FIXED_32) return { number, start, length: 4 };
  const next = varintAt(bytes, start);
  if (next === undefined || (wire !== VARINT && wire !== BYTES)) return undefined;
  return { number, start: next[1], length: wire === BYTES ? next[0] : 0 };
}

/** Return a number and the position after it; numbers beyond 2^53 lose digits. */
function varintAt(bytes: Uint8Array, offset: number): [number, number] | undefined {
  let value = 0;
  let scale = 1;
  for (let at = offset; at < bytes.length && at < offset + 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * scale;
    if (byte < 128) return [value, at + 1];
    scale *= 128;
  }
  return undefined;
}
