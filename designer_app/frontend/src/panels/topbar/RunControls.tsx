/** Submit, cancel, and the state of the shown run: each has its seat, whatever the others show. */

import { Hourglass, OctagonPause, Play, Square } from "lucide-react";
import type { ReactElement } from "react";

import { sweepOf } from "../../graph/sweepOf";
import { CommandButton } from "../../ui/buttons";
import { useEditorState, useViewState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { selectIsRunning, selectNumOutdated, selectRun, selectWhole } from "../../store/selectors";
import { RunStatus } from "./RunStatus";
import { t } from "../../graph/translate";

export function RunControls(): ReactElement {
  const run = useEditorState(selectRun);
  const running = useEditorState(selectIsRunning);
  const outdated = useEditorState(selectNumOutdated);
  const isSweep = useEditorState((state) => sweepOf(selectWhole(state)) !== undefined);
  return (
    <div className="pd-bar-runs" role="group" aria-label={t("Run")}>
      <div className="pd-run-slot">
        {run ? <RunStatus run={run} /> : <Estimate />}
        {running ? (
          <>
            <span className="pd-roomy-only">
              <CommandButton
                command="stop-and-keep"
                icon={OctagonPause}
                data-testid="stop-and-keep"
              />
            </span>
            <CommandButton command="cancel" data-testid="cancel">
              <Square size={13} aria-hidden /> {t("Cancel")}
            </CommandButton>
          </>
        ) : (
          run && (
            <span className="pd-roomy-only">
              <CommandButton
                command="forecast"
                aria-label={t("Forecast")}
                data-testid="forecast-button"
              >
                <Hourglass size={14} aria-hidden />
                <span className="pd-wide-only">{t("Forecast")}</span>
              </CommandButton>
            </span>
          )
        )}
      </div>
      <CommandButton command="run" data-kind="primary" data-testid="submit">
        <Play size={14} aria-hidden /> {t("Run")}{" "}
        <span className="pd-wide-only">
          {isSweep ? (
            t("sweep")
          ) : outdated > 0 ? (
            t("{count:,} {count:node|nodes}", { count: outdated })
          ) : (
            <kbd>{t("Ctrl ↵")}</kbd>
          )}
        </span>
      </CommandButton>
    </div>
  );
}

/** In the seat of the status before the first run: asks for an estimate, and shows it. */
function Estimate(): ReactElement {
  const forecast = useViewState((state) => state.forecast && state.lastForecast);
  const seconds = forecast?.totals.critical_path_seconds;
  return (
    <CommandButton command="forecast" aria-label={t("Forecast")} data-testid="forecast-button">
      <Hourglass size={14} aria-hidden />
      {seconds === undefined ? t("Forecast") : t("about {time}", { time: formatSeconds(seconds) })}
    </CommandButton>
  );
}
