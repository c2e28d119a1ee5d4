/** View that shows the first failed node, keeps it visible, and follows the running node if
 * wanted. */

import { useEffect } from "react";

import { findNode } from "../graph/lookup";
import { shownNode } from "../graph/paths";
import type { Size } from "../graph/types";
import type { Editor } from "../store/editor";
import type { EditorState, RunView } from "../store/types";
import { useEditor } from "../view/context";
import { panePreferences } from "../view/panePreferences";
import { FAULT_CARD } from "./revealing";

/** Smallest zoom at which a failed and a running node are shown. */
const FAILED_ZOOM = 0.75;
const RUNNING_ZOOM = 0.6;

export function useRunView(): void {
  const editor = useEditor();
  useEffect(() => {
    show(editor, editor.state.run, null);
    return editor.store.subscribe((now, before) => {
      show(editor, now.run, before.run);
      if (now.document !== before.document) keepInSight(editor, now, before);
    });
  }, [editor]);
}

/** A failure is also shown if the run is opened after its end. */
function show(editor: Editor, now: RunView | null, before: RunView | null): void {
  if (!now || now.steps === before?.steps) return;
  const known = now.id === before?.id ? before : null;
  const failed = newly("failed", now, known);
  if (failed !== undefined && !(known && newly("failed", known, null))) {
    reveal(editor, failed, FAILED_ZOOM, FAULT_CARD);
    return;
  }
  const running = known && newly("running", now, known);
  const follows = panePreferences.getState().followsRun;
  if (running && follows) reveal(editor, running, RUNNING_ZOOM);
}

/** Keep a failed node in view when its fix adds nodes or Undo removes them, together with its
 * card and buttons. */
function keepInSight(editor: Editor, { run, document }: EditorState, before: EditorState): void {
  const shown = failedNode({ run, document });
  if (shown === undefined) return;
  const was = findNode(before.document, shown)?.position;
  const is = findNode(document, shown)?.position;
  if (was && is && (was.x !== is.x || was.y !== is.y)) editor.canvas?.reveal(shown, 0, FAULT_CARD);
}

/** Return the first failed node, or the node on the canvas that contains it. */
export function failedNode({
  run,
  document,
}: Pick<EditorState, "run" | "document">): string | undefined {
  const failed = run ? newly("failed", run, null) : undefined;
  return failed === undefined ? undefined : shownNode(document, failed);
}

/** Reveal a node, or the node on the canvas that contains it. */
function reveal(editor: Editor, path: string, least: number, card?: Size): void {
  const shown = shownNode(editor.state.document, path);
  if (shown !== undefined) editor.canvas?.reveal(shown, least, card);
}

type Status = "failed" | "running";

/** Return the first node that has reached the status. */
function newly(status: Status, now: RunView, before: RunView | null): string | undefined {
  return Object.keys(now.steps).find(
    (id) => now.steps[id]?.status === status && before?.steps[id]?.status !== status,
  );
}
