/** Copied nodes: on the system's clipboard as JSON where the browser allows it, else in this page. */

import type { PipelineDocument } from "../graph/types";

let own = "";

/** Keeps the nodes for a paste, in this pipeline, another tab or another machine. */
export async function writeClipboard(copied: PipelineDocument): Promise<void> {
  own = JSON.stringify(copied);
  try {
    await navigator.clipboard.writeText(own);
  } catch {
    // no secure context or no permission: pasting within this page still works
  }
}

/** What was copied last; null where that is no piece of a pipeline. */
export async function readClipboard(): Promise<PipelineDocument | null> {
  return (await pieceOf(await readText())) ?? (await pieceOf(own));
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

async function readText(): Promise<string> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return "";
  }
}
