/** Fix applied to the pipeline of a run, in a new run; the saved pipeline does not change. */

import { resubmitRun } from "../api/runs";
import { EditRefused } from "../graph/problems";
import type { Edit, Editor } from "../store/editor";
import { goOnPage } from "../store/pageHost";

export async function fixAndRerun(editor: Editor, edit: Edit): Promise<void> {
  const { state } = editor;
  if (!state.run) return;
  try {
    const whole = editor.placing.kept(state, edit(state.document, state.catalog));
    goOnPage({ page: "run", run: await resubmitRun(editor.api, state.run.id, whole) });
  } catch (error) {
    if (error instanceof EditRefused) editor.notifyProblem(error.problems[0]);
    else editor.notifyError(error);
  }
}
