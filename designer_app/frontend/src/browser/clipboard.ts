/** Copied nodes: on the system's clipboard as JSON if the browser allows it, else in this page. */

import type { PipelineDocument } from "../graph/types";

interface Copied {
  readonly text: string;
  readonly piece: PipelineDocument;
}

let own: Copied | null = null;
/** True if the last copy was written to the system's clipboard, which takes precedence then. */
let isShared = false;

/** Keep the nodes for a paste, in this pipeline, another tab or another machine. */
export async function writeClipboard(piece: PipelineDocument): Promise<void> {
  own = { text: JSON.stringify(piece), piece };
  try {
    await navigator.clipboard.writeText(own.text);
    isShared = true;
  } catch {
    isShared = false;
    // no secure context or no permission: pasting within this page still works
  }
}

/**
 * Content of the clipboard: what was copied in this page, or JSON from elsewhere, which has to be
 * read before it can be trusted; null for anything else.
 */
export async function readClipboard(): Promise<PipelineDocument | { json: unknown } | null> {
  const text = await readText();
  if (text !== null && text === own?.text) return own.piece;
  const json = objectIn(text ?? "");
  if (json !== undefined) return { json };
  return isShared && text !== null ? null : (own?.piece ?? null);
}

/** The object that a text is in JSON; undefined for any other text. */
function objectIn(text: string): unknown {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
