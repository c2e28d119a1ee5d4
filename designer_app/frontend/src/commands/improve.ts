/** Improvements of a result: one edit of the pipeline, which can be undone. */

import type { Improvement } from "../api/types.gen";
import { setParameter } from "../graph/edits";
import type { Edit, Editor } from "../store/editor";
import { perform } from "./registry";

/** Return the edit that makes the changes of an improvement. */
export function improving({ changes }: Improvement): Edit {
  return (document, catalog) =>
    changes.reduce(
      (changed, { node, parameters }) =>
        Object.entries(parameters).reduce(
          (edited, [name, value]) => setParameter(edited, catalog, node, name, value),
          changed,
        ),
      document,
    );
}

/** Make the edit, and show the dialog that runs the pipeline. */
export function improve(editor: Editor, improvement: Improvement): void {
  const isMade = editor.dispatch(improving(improvement), { label: improvement.title });
  if (isMade) perform(editor, "run");
}
