/** Resolution of conflicts: somebody else saved or deleted the pipeline that has unsaved edits
 * here. */

import { noAnswer } from "../api/client";
import { createPipeline, undeletePipeline } from "../api/pipelines";
import { copyName } from "./draftCopies";
import type { Editor } from "./editor";
import { t } from "../graph/translate";

export type ConflictChoice = "join" | "reload" | "copy" | "overwrite";

/** Merge both, load theirs, save ours as a copy or overwrite theirs; failures are reported. */
export async function resolveConflict(editor: Editor, choice: ConflictChoice): Promise<void> {
  try {
    if (choice === "join") await joinBoth(editor);
    else if (choice === "copy") await keepCopy(editor);
    else if (choice === "overwrite") await overwrite(editor);
    else await takeTheirs(editor);
    editor.closeDialog();
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Merge both versions; the local value wins where both changed the same thing. */
async function joinBoth(editor: Editor): Promise<void> {
  const { base } = editor.state.conflict ?? {};
  if (!base) return;
  const joining = await import("./joining").catch(() => null);
  if (!joining) throw noAnswer();
  const before = editor.state;
  await takeTheirs(editor); // They may have continued editing meanwhile
  const joined = joining.joinPreferringOurs(before, { base, theirs: editor.state.whole });
  editor.edit(joined, t("Merge versions"));
  await editor.flush();
}

function takeTheirs(editor: Editor): Promise<void> {
  return editor.reload(t("Load saved version"));
}

async function overwrite(editor: Editor): Promise<void> {
  if (isDeleted(editor)) await undeletePipeline(editor.api, editor.id);
  await editor.saveOver();
}

async function keepCopy(editor: Editor): Promise<void> {
  const { whole: document } = editor.state;
  const id = await createPipeline(editor.api, { ...document, name: copyName(document) });
  if (isDeleted(editor)) editor.drafts.remove(document.id);
  else await takeTheirs(editor);
  editor.showPipeline(id);
}

function isDeleted(editor: Editor): boolean {
  return editor.state.conflict?.reason === "deleted";
}
