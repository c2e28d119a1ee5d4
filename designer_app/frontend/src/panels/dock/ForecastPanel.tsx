/** The last forecast as a table next to the canvas, marked if it is outdated. */

import type { ReactElement } from "react";

import { goToNode } from "../../commands/goTo";
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
  return (
    <div className="pd-forecast-panel" data-testid="forecast-table" data-stale={isStale}>
      {(isStale || !forecast) && (
        <p className="pd-dim">
          {forecast
            ? t("The pipeline has changed since this forecast. ")
            : t("Estimated time and memory, before the nodes run. ")}
          <CommandButton command="forecast" data-size="small" />
        </p>
      )}
      {forecast && <ForecastContent forecast={forecast} onGo={(node) => goToNode(editor, node)} />}
    </div>
  );
}
