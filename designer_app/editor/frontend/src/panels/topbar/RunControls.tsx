/** Submit, cancel, and how the run that is shown is going. */

import { Hourglass, OctagonPause, Play, Square } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";

import { isFinished, secondsOf } from "../../graph/run";
import { Button, CommandButton } from "../../parts/buttons";
import { useEditor, useEditorState, useView } from "../../parts/context";
import { showForecast } from "../../parts/forecasting";
import { formatSeconds } from "../../parts/format";
import { selectIsEmpty } from "../../store/partSelectors";
import { selectIsRunning, selectRun } from "../../store/selectors";
import type { RunView } from "../../store/types";

export function RunControls(): ReactElement {
  const run = useEditorState(selectRun);
  const running = useEditorState(selectIsRunning);
  return (
    <div className="pd-bar-runs" role="group" aria-label="Run">
      <RunStatus run={run} />
      {!running && <ForecastButton />}
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

function ForecastButton(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const empty = useEditorState(selectIsEmpty);
  const [waiting, setWaiting] = useState(false);
  const ask = async (): Promise<void> => {
    setWaiting(true);
    await showForecast(editor, view);
    setWaiting(false);
  };
  return (
    <span className="pd-roomy-only">
      <Button
        data-testid="forecast-button"
        aria-label="Forecast"
        title="Work out images, classes and time of every node without running it"
        disabled={empty || waiting}
        onClick={() => void ask()}
      >
        {waiting ? <span className="pd-spinner" /> : <Hourglass size={14} aria-hidden />}
        <span className="pd-wide-only">Forecast</span>
      </Button>
    </span>
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
