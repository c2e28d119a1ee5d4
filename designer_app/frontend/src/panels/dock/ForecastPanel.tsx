/** The last forecast as a table next to the canvas, marked if it is outdated. */

import { type ReactElement, useEffect } from "react";

import { goToNode } from "../../commands/goTo";
import { perform } from "../../commands/registry";
import { CommandButton } from "../../ui/buttons";
import { useEditor, useViewState } from "../../view/context";
import type { ViewState } from "../../view/viewStore";
import { ForecastContent } from "../dialogs/ForecastSummary";
import { t } from "../../graph/translate";

const selectLastForecast = ({ lastForecast }: ViewState): ViewState["lastForecast"] => lastForecast;
const selectIsStale = ({ lastForecast, forecast }: ViewState): boolean =>
  lastForecast !== null && forecast === null;

export function ForecastPanel(): ReactElement {
  const editor = useEditor();
  const forecast = useViewState(selectLastForecast);
  const isStale = useViewState(selectIsStale);
  useEffect(() => {
    if (!forecast) perform(editor, "forecast");
    // only when the panel opens: an error is reported once
  }, [editor]); // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <div className="pd-forecast-panel" data-testid="forecast-table" data-stale={isStale}>
      {isStale && (
        <p className="pd-dim">
          {t("The pipeline has changed since this forecast. ")}
          <CommandButton command="forecast" data-size="small" />
        </p>
      )}
      {!forecast && <p className="pd-dim">{t("Estimating time and memory ...")}</p>}
      {forecast && <ForecastContent forecast={forecast} onGo={(node) => goToNode(editor, node)} />}
    </div>
  );
}
