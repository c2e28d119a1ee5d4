/** Submit, cancel, and how the run that is shown is going. */

import { Hourglass, OctagonPause, Play, Square } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";

import { isFinished, secondsOf } from "../../graph/runState";
import { CommandButton } from "../../ui/buttons";
import { useEditorState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { selectIsRunning, selectRun } from "../../store/selectors";
import type { RunView } from "../../store/types";

export function RunControls(): ReactElement {
  const run = useEditorState(selectRun);
  const running = useEditorState(selectIsRunning);
  return (
    <div className="pd-bar-runs" role="group" aria-label="Run">
      <RunStatus run={run} />
      {!running && (
        <span className="pd-roomy-only">
          <CommandButton command="forecast" aria-label="Forecast" data-testid="forecast-button">
            <Hourglass size={14} aria-hidden />
            <span className="pd-wide-only">Forecast</span>
          </CommandButton>
        </span>
      )}
      {running && (
        <>
          <span className="pd-roomy-only">
            <CommandButton command="stop-and-keep" data-testid="stop-and-keep">
              <OctagonPause size={14} aria-hidden />{" "}
              <span className="pd-wide-only">Stop and keep</span>
            </CommandButton>
          </span>
          <CommandButton command="cancel" data-testid="cancel">
            <Square size={13} aria-hidden /> Cancel
          </CommandButton>
        </>
      )}
      <CommandButton command="run" data-kind="primary" data-testid="submit">
        <Play size={14} aria-hidden /> Submit <kbd className="pd-wide-only">Ctrl ↵</kbd>
      </CommandButton>
    </div>
  );
}

function RunStatus({ run }: { readonly run: RunView | null }): ReactElement {
  const running = run !== null && !isFinished(run.state);
  const now = useSeconds(running);
  const status = run?.state.status ?? "none";
  const seconds = run ? secondsOf(run.state, now) : null;
  const lost = running && run?.connection === "reconnecting";
  const words = !run
    ? ""
    : [lost ? "reconnecting" : status, seconds === null ? "" : formatSeconds(seconds)]
        .filter(Boolean)
        .join(" · ");
  return (
    <span
      className="pd-status pd-run-status"
      data-testid="run-status"
      data-status={run ? status : "not started"}
      title={run ? `Run ${run.id}: ${words}` : undefined}
    >
      {words}
    </span>
  );
}

/** Seconds since the epoch, every second while something runs. */
function useSeconds(running: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
