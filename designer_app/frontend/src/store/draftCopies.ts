/** Unsaved edits of other tabs, saved as new pipelines. */

import { createPipeline } from "../api/pipelines";
import type { PipelineDocument } from "../graph/types";
import type { EditorContext } from "./editorContext";
import { t } from "../graph/translate";

/** Save the drafts of other tabs, or the one with that key, as new pipelines. */
export async function keepDrafts(editor: EditorContext, key: unknown): Promise<void> {
  const drafts = editor.drafts.left(editor.id).filter((draft) => !key || draft.key === key);
  if (drafts.length === 0) editor.notify(t("No unsaved edits of other tabs."));
  for (const draft of drafts) {
    const name = copyName(draft.document);
    try {
      await createPipeline(editor.api, { ...draft.document, name });
    } catch (error) {
      editor.notifyError(error);
      return;
    }
    editor.drafts.discard(draft);
    editor.notify(t("Saved as “{name}”. Open it on Home.", { name }), "success");
  }
}

export function copyName({ id, name }: PipelineDocument): string {
  return t("{name} (copy)", { name: name || id }).slice(0, 200);
}
