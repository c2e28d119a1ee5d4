/** Unsaved edits of other tabs: found when a pipeline is opened, and offered for recovery. */

import { sameValue } from "../graph/edits";
import type { PipelineDocument } from "../graph/types";
import { type Drafts, type LeftDraft, digest } from "./drafts";
import type { EditorContext } from "./editorContext";
import { t } from "../graph/translate";

interface LeftBehind {
  /** Draft with the newest edits, with which this tab continues. */
  readonly newest: LeftDraft | undefined;
  /** True if it is based on the saved version, so that it may overwrite it. */
  readonly isOurs: boolean;
  /** Edits of other tabs that cannot be merged with these. */
  readonly others: readonly LeftDraft[];
}

/** Return the drafts of a pipeline: saved ones are discarded, and the newest is adopted. */
export function leftBehind(drafts: Drafts, saved: PipelineDocument, revision: string): LeftBehind {
  const left = drafts.left(saved.id);
  const unsaved = left.filter((draft) => !sameValue(draft.document, saved));
  for (const draft of left) if (!unsaved.includes(draft)) drafts.discard(draft);
  const [newest] = unsaved;
  const others = unsaved.filter((draft) => !sameValue(draft.document, newest?.document));
  drafts.adopt(unsaved.filter((draft) => !others.includes(draft)));
  // our commit may have been stored although its response was lost
  const isOurs = newest?.revision === revision || newest?.sent === digest(saved);
  return { newest, isOurs, others };
}

/** Show that other tabs left edits, and offer to save them. */
export function offer(editor: EditorContext, drafts: readonly LeftDraft[]): void {
  for (const { key, written } of drafts) {
    const moment = written
      ? t(" at {toLocaleTimeString}", {
          toLocaleTimeString: new Date(written).toLocaleTimeString(),
        })
      : "";
    const message = t(
      "Another tab has unsaved edits of this pipeline{moment}. They are kept in this browser.",
      { moment },
    );
    const action = { label: t("Save as copy"), command: "keep-drafts", args: { key } };
    editor.notify(message, "warning", action);
  }
}
