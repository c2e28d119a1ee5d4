/** What other tabs could not save, kept as pipelines of their own. */

import { createPipeline } from "../api/pipelines";
import type { PipelineDocument } from "../graph/types";
import type { EditorContext } from "./editorContext";

/** Saves what other tabs left, or the one draft of that key, as pipelines of their own. */
export async function keepDrafts(editor: EditorContext, key: unknown): Promise<void> {
  const drafts = editor.drafts.left(editor.id).filter((each) => !key || each.key === key);
  if (drafts.length === 0) editor.notify("No unsaved edits of other tabs.");
  for (const draft of drafts) {
    const name = copyName(draft.document);
    try {
      await createPipeline(editor.api, { ...draft.document, name });
    } catch (error) {
      editor.notifyError(error);
      return;
    }
    editor.drafts.discard(draft);
    editor.notify(`Saved as “${name}”. Open it on Home.`, "success");
  }
}

export function copyName({ id, name }: PipelineDocument): string {
  return `${name || id} (copy)`.slice(0, 200);
}
