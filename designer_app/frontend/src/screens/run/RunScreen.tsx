/** Screen of one run: its read-only graph with states, the selected node's pane, timeline and
 * logs. */

import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";

import { Canvas } from "../../canvas/Canvas";
import { attachKeyboard } from "../../commands/keyboard";
import { Dialogs } from "../../panels/dialogs/Dialogs";
import { LiveRegion } from "../../panels/notices/LiveRegion";
import { Toasts } from "../../panels/notices/Toasts";
import { LoadingScreen } from "../../ui/LoadingScreen";
import { SurroundingsContext, useEditor, useEditorState } from "../../view/context";
import { recordLosses } from "../../store/lossTraces";
import { useRestoredFocus } from "../../ui/useRestoredFocus";
import { createView } from "../../view/viewStore";
import type { Editor } from "../../store/editor";
import type { EditorState } from "../../store/types";
import type { ScreenProps } from "../types";
import { openRun } from "./openRun";
import { RunDock } from "./RunDock";
import { RunPane } from "./RunPane";

type Props = ScreenProps & { readonly runId: string };

export function RunScreen({ api, root, runId, ended, send }: Props): ReactElement {
  const [editor, setEditor] = useState<Editor | null>(null);
  const [failed, setFailed] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let opened: Editor | null = null;
    let over = false;
    openRun(api, runId).then(
      (made) => {
        if (over) made.close();
        else setEditor((opened = made));
      },
      (error: unknown) => !over && setFailed(error),
    );
    return () => {
      over = true;
      opened?.close();
    };
  }, [api, runId, attempt]);
  if (editor) return <Opened editor={editor} root={root} ended={ended} send={send} />;
  return <LoadingScreen failed={failed} onRetry={() => setAttempt(attempt + 1)} />;
}

interface OpenedProps extends Pick<Props, "root" | "ended" | "send"> {
  readonly editor: Editor;
}

function Opened({ editor, root, ended, send }: OpenedProps): ReactElement {
  const [view] = useState(() => createView());
  const surroundings = useMemo(() => ({ editor, root, view }), [editor, root, view]);
  useEffect(() => attachKeyboard(root, editor), [root, editor]);
  useEffect(() => recordLosses(editor), [editor]);
  useRestoredFocus(root, editor);
  return (
    <SurroundingsContext value={surroundings}>
      <div className="pd-run">
        <div className="pd-run-graph">
          <Canvas inPage />
        </div>
        <RunPane />
        <RunDock />
      </div>
      <Toasts />
      <Dialogs />
      <LiveRegion />
      <Ending ended={ended} send={send} />
    </SurroundingsContext>
  );
}

/** True once the server has reported the state of the run. */
const selectIsKnown = ({ run }: EditorState): boolean =>
  run !== null && Object.keys(run.steps).length > 0;

/** End of the run; null while it is running. */
const selectEnd = ({ run }: EditorState): number | null => run?.state.finished ?? null;

/**
 * Report to Python each end, and that the run continues, unless it has drawn the page for that. If
 * a button of the page resumes the run, only the page knows: the run is followed again.
 */
function Ending({ ended, send }: Pick<Props, "ended" | "send">): null {
  const editor = useEditor();
  const end = useEditorState(selectEnd);
  const reported = useRef<number | null>(undefined);
  const known = useEditorState(selectIsKnown);
  useEffect(() => {
    if (known) performance.mark("run-shown");
  }, [known]);
  useEffect(() => {
    if (!known || (reported.current === end && (end === null || end === ended))) return;
    if (reported.current === end) editor.runs.follow(editor.id);
    else if (end !== ended) send("refresh", { ended: end });
    reported.current = end;
  }, [editor, end, ended, known, send]);
  return null;
}
