/** A document from elsewhere, opened as a new pipeline. */

import { createPipeline } from "../api/pipelines";
import { announceArrival } from "./arrivals";
import type { Editor } from "./editor";

/** Open a document as a new pipeline; the server migrates older formats. Null, with a notice, if
 * it is rejected. */
export async function openAsNew(editor: Editor, content: unknown): Promise<string | null> {
  try {
    const id = await createPipeline(editor.api, content);
    announceArrival(id);
    editor.showPipeline(id);
    return id;
  } catch (error) {
    editor.notifyError(error);
    return null;
  }
}
