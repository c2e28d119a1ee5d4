/** What ends a conflict: somebody else saved, or deleted, the pipeline that has unsaved edits here. */

import { createPipeline, undeletePipeline } from "../api/pipelines";
import { copyName } from "./draftRecovery";
import type { Editor } from "./editor";

export type ConflictChoice = "reload" | "copy" | "overwrite";

/** Theirs, ours beside theirs, or ours in place of theirs; what goes wrong is said. */
export async function resolveConflict(editor: Editor, choice: ConflictChoice): Promise<void> {
  try {
    if (choice === "copy") await keepCopy(editor);
    else if (choice === "overwrite") await overwrite(editor);
    else await takeTheirs(editor);
    editor.closeDialog();
  } catch (error) {
    editor.notifyError(error);
  }
}

function takeTheirs(editor: Editor): Promise<void> {
  return editor.reload("Load the saved version");
}

async function overwrite(editor: Editor): Promise<void> {
  if (isDeleted(editor)) await undeletePipeline(editor.api, editor.id);
  await editor.saveOver();
}

async function keepCopy(editor: Editor): Promise<void> {
  const { document } = editor.state;
  const id = await createPipeline(editor.api, { ...document, name: copyName(document) });
  if (isDeleted(editor)) editor.drafts.remove(document.id);
  else await takeTheirs(editor);
  editor.showPipeline(id);
}

function isDeleted(editor: Editor): boolean {
  return editor.state.conflict?.reason === "deleted";
}
