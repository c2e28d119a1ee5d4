/** One run: its frozen graph with states, the selected node beside it, timeline and logs below. */

import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";

import { Canvas } from "../../canvas/Canvas";
import { attachKeyboard } from "../../commands/keyboard";
import { Dialogs } from "../../panels/dialogs/Dialogs";
import { LiveRegion } from "../../panels/notices/LiveRegion";
import { Toasts } from "../../panels/notices/Toasts";
import { LoadingScreen } from "../../ui/LoadingScreen";
import { SurroundingsContext, useEditorState } from "../../view/context";
import { recordLosses } from "../../store/lossTraces";
import { useRestoredFocus } from "../../ui/useRestoredFocus";
import { createView } from "../../view/viewStore";
import type { Editor } from "../../store/editor";
import { selectIsRunning } from "../../store/selectors";
import type { EditorState } from "../../store/types";
import type { ScreenProps } from "../types";
import { openRun } from "./openRun";
import { RunDock } from "./RunDock";
import { RunPane } from "./RunPane";

type Props = ScreenProps & { readonly runId: string };

export function RunScreen({ api, root, runId, send }: Props): ReactElement {
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
  if (editor) return <Opened editor={editor} root={root} send={send} />;
  return <LoadingScreen failed={failed} onRetry={() => setAttempt(attempt + 1)} />;
}

interface OpenedProps extends Pick<Props, "root" | "send"> {
  readonly editor: Editor;
}

function Opened({ editor, root, send }: OpenedProps): ReactElement {
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
      <Ending send={send} />
    </SurroundingsContext>
  );
}

/** True once the server has said how the run stands. */
const selectIsKnown = ({ run }: EditorState): boolean =>
  run !== null && Object.keys(run.steps).length > 0;

/** Tells Python when the run ends or goes on, so that what it draws is drawn again. */
function Ending({ send }: Pick<Props, "send">): null {
  const running = useEditorState(selectIsRunning);
  const before = useRef<boolean | null>(null);
  const known = useEditorState(selectIsKnown);
  useEffect(() => {
    if (known) performance.mark("run-shown");
  }, [known]);
  useEffect(() => {
    if (!known) return;
    if (before.current !== null && before.current !== running) send("refresh", { running });
    before.current = running;
  }, [running, known, send]);
  return null;
}
