/** The view glides to the first node that fails, and follows the one that runs where that is wanted. */

import { useEffect } from "react";

import { shownNode } from "../graph/paths";
import type { Size } from "../graph/types";
import type { Editor } from "../store/editor";
import type { RunView } from "../store/types";
import { useEditor } from "../view/context";
import { panePreferences } from "../view/panePreferences";

/** At which zoom a failure's node is shown at least, and the one that runs. */
const FAILED_ZOOM = 0.75;
const RUNNING_ZOOM = 0.6;
/** The card below a failed node and the notice that lies over the canvas' foot, in pixels of the screen. */
const CARD = { width: 276, height: 276 + 64 };

export function useRunView(): void {
  const editor = useEditor();
  useEffect(() => {
    show(editor, editor.state.run, null);
    return editor.store.subscribe((now, before) => show(editor, now.run, before.run));
  }, [editor]);
}

/** A failure is shown also where the run is opened after its end. */
function show(editor: Editor, now: RunView | null, before: RunView | null): void {
  if (!now || now.steps === before?.steps) return;
  const known = now.id === before?.id ? before : null;
  const failed = newly("failed", now, known);
  if (failed !== undefined && !(known && newly("failed", known, null))) {
    reveal(editor, failed, FAILED_ZOOM, CARD);
    return;
  }
  const running = known && newly("running", now, known);
  const follows = panePreferences.getState().followsRun;
  if (running && follows) reveal(editor, running, RUNNING_ZOOM);
}

/** A node, or the one on the canvas that it lies in. */
function reveal(editor: Editor, path: string, least: number, card?: Size): void {
  const shown = shownNode(editor.state.document, path);
  if (shown !== undefined) editor.canvas?.reveal(shown, least, card);
}

type Status = "failed" | "running";

/** The first node that has come to the status. */
function newly(status: Status, now: RunView, before: RunView | null): string | undefined {
  return Object.keys(now.steps).find(
    (id) => now.steps[id]?.status === status && before?.steps[id]?.status !== status,
  );
}
