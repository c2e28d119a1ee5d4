/** Files that are dropped, chosen in a dialog, or saved. */

import { textInSvg } from "../export/svg";
import { isPng, textInPng } from "../export/png";
import { t } from "../graph/translate";

/** A dropped file, classified. */
export type Dropped =
  | { readonly kind: "pipeline"; readonly content: unknown; readonly name: string }
  | { readonly kind: "dataset"; readonly file: File }
  | { readonly kind: "replay"; readonly file: File }
  | { readonly kind: "script"; readonly file: File }
  | { readonly kind: "unknown"; readonly name: string; readonly reason: string };

const MAX_BYTES = 25_000_000;
/** Size in bytes of the length field at the start of a weights file. */
const LENGTH_BYTES = 8;
/** Name of the document in the metadata of a model. */
const PIPELINE_KEY = "pipeline-designer";
const WEIGHTS = /\.safetensors$/i;
const ONNX = /\.onnx$/i;
const ARCHIVES = ["zip", "tar", "tar.gz", "tgz", "tar.xz", "tar.bz2"];

/** Endings that the file chooser accepts; it looks only at the last ending of a name. */
export const ACCEPTED = ["json", "png", "svg", "safetensors", "onnx", "replay", "py", ...ARCHIVES]
  .map((ending) => `.${ending.split(".").at(-1)}`)
  .join();

/** Read a pipeline as JSON, an image or a model that contains one, or an archive of images. */
export async function readDropped(file: File): Promise<Dropped> {
  if (/\.replay$/i.test(file.name)) return { kind: "replay", file };
  if (/\.py$/i.test(file.name)) return { kind: "script", file };
  if (isArchive(file.name)) return { kind: "dataset", file };
  const isModel = WEIGHTS.test(file.name) || ONNX.test(file.name);
  if (file.size > MAX_BYTES && !isModel) {
    return { kind: "unknown", name: file.name, reason: t("the file is larger than 25 MB") };
  }
  const text = isModel
    ? await textInModel(file)
    : documentText(new Uint8Array(await file.arrayBuffer()));
  if (text === undefined) {
    return { kind: "unknown", name: file.name, reason: t("the file contains no pipeline") };
  }
  try {
    return { kind: "pipeline", content: pipelineIn(JSON.parse(text)), name: file.name };
  } catch {
    return { kind: "unknown", name: file.name, reason: t("the file is not a pipeline document") };
  }
}

function isArchive(name: string): boolean {
  return ARCHIVES.some((ending) => name.toLowerCase().endsWith(`.${ending}`));
}

/** Return the document itself, or the one in the description of a trained model (`model.json`). */
function pipelineIn(content: unknown): unknown {
  const carried = (content as { pipeline?: unknown }).pipeline;
  return typeof carried === "object" && carried !== null ? carried : content;
}

/** Return a valid dataset name for a file name; dots and letters of any script are kept. */
export function datasetName(file: string): string {
  const name = file
    .normalize("NFC")
    .replace(/(\.tar)?\.[^.]*$/, "")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^[^\p{L}\p{N}]+/u, "");
  return name.slice(0, 100) || "dataset";
}

/** Return the document's text in the metadata of a model, whose weights are not read. */
async function textInModel(file: File): Promise<string | undefined> {
  if (!ONNX.test(file.name)) return textInWeights(file);
  const { metadataInOnnx } = await import("./onnxMetadata");
  const text = await metadataInOnnx(file, PIPELINE_KEY, MAX_BYTES);
  return text?.startsWith("{") ? text : undefined;
}

/** Return the document's text in the header of model weights; the weights themselves are not
 * read. */
async function textInWeights(file: Blob): Promise<string | undefined> {
  const start = new DataView(await file.slice(0, LENGTH_BYTES).arrayBuffer());
  const length = start.byteLength === LENGTH_BYTES ? Number(start.getBigUint64(0, true)) : 0;
  if (length === 0 || length > MAX_BYTES) return undefined;
  try {
    const header = await file.slice(LENGTH_BYTES, LENGTH_BYTES + length).text();
    const facts = JSON.parse(header) as { __metadata__?: Record<string, string> };
    const text = facts.__metadata__?.[PIPELINE_KEY];
    return typeof text === "string" && text.startsWith("{") ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Return the document's text in a JSON, PNG or SVG file. */
function documentText(bytes: Uint8Array): string | undefined {
  if (isPng(bytes)) return textInPng(bytes);
  const text = new TextDecoder().decode(bytes).replace(/^\ufeff/, "");
  const start = text.trimStart();
  if (start.startsWith("<")) return textInSvg(text);
  return start.startsWith("{") ? text : undefined;
}

/** Let the user choose a file; null if the dialog was cancelled. */
export function chooseFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.addEventListener("change", () => resolve(input.files?.[0] ?? null), { once: true });
    input.addEventListener("cancel", () => resolve(null), { once: true });
    input.click();
  });
}

export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
