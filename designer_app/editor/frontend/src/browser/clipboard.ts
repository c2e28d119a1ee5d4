/** Copied nodes: on the system's clipboard as JSON where the browser allows it, else in this page. */

import type { PipelineDocument } from "../graph/types";

let own = "";
/** What was copied last here was written to the system's clipboard, which decides from then on. */
let isShared = false;

/** Keeps the nodes for a paste, in this pipeline, another tab or another machine. */
export async function writeClipboard(copied: PipelineDocument): Promise<void> {
  own = JSON.stringify(copied);
  try {
    await navigator.clipboard.writeText(own);
    isShared = true;
  } catch {
    isShared = false;
    // no secure context or no permission: pasting within this page still works
  }
}

/** What was copied last; null where that is no piece of a pipeline. */
export async function readClipboard(): Promise<PipelineDocument | null> {
  const text = await readText();
  if (text !== null && isShared) return pieceOf(text);
  return (await pieceOf(text ?? "")) ?? (await pieceOf(own));
}

/** The piece of a pipeline that a text is; null for any other text. */
async function pieceOf(text: string): Promise<PipelineDocument | null> {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const { parseDocument } = await import("../graph/parse");
    return parseDocument(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Return null if the browser does not allow reading. */
async function readText(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}
