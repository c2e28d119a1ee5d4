/** Fixes of problems that are edits, performed by the problem's button. */

import { remedyOf } from "../graph/remedies";
import type { Problem } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Args } from "./types";

const DRAWN_MILLISECONDS = 80;

export function applyFix(editor: Editor, args: Args): void {
  const problem = args["problem"] as Problem | undefined;
  const { document, catalog } = editor.state;
  if (!problem) return;
  const remedy = remedyOf(problem, document, catalog);
  if (!remedy?.edit) return;
  const { node } = problem;
  editor.dispatch(remedy.edit, { label: remedy.label, select: "added" });
  const grew = editor.state.document.nodes.length > document.nodes.length;
  // after new nodes have been drawn: before that they have no size
  if (grew) setTimeout(() => show(editor, node), DRAWN_MILLISECONDS);
}

/** Show everything, and the fixed node with the card below it, which has the next button. */
function show({ canvas }: Editor, fixed: string | null): void {
  canvas?.fitView();
  if (fixed) canvas?.reveal(fixed);
}
