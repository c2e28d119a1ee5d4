/** Submit, cancel, and the state of the shown run. */

import { Hourglass, OctagonPause, Play, Square } from "lucide-react";
import type { ReactElement } from "react";

import { CommandButton } from "../../ui/buttons";
import { useEditorState } from "../../view/context";
import { selectIsRunning, selectRun } from "../../store/selectors";
import { RunStatus } from "./RunStatus";

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
              <span className="pd-wide-only">Finish early</span>
            </CommandButton>
          </span>
          <CommandButton command="cancel" data-testid="cancel">
            <Square size={13} aria-hidden /> Cancel
          </CommandButton>
        </>
      )}
      <CommandButton command="run" data-kind="primary" data-testid="submit">
        <Play size={14} aria-hidden /> Run <kbd className="pd-wide-only">Ctrl ↵</kbd>
      </CommandButton>
    </div>
  );
}
