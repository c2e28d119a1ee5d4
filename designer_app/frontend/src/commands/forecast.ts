/** Forecast of a run: shown in a table, and on the nodes until the pipeline changes. */

import { forecastRun } from "../api/pipelines";
import type { RunForecast } from "../api/types.gen";
import type { Editor } from "../store/editor";
import { showDock } from "../view/dock";
import { formatSeconds } from "../view/format";
import { type View, estimatesIn, speak } from "../view/viewStore";
import { t } from "../graph/translate";

export async function showForecast(editor: Editor, view: View): Promise<void> {
  const { whole } = editor.state;
  let forecast: RunForecast;
  try {
    await editor.code.settle();
    forecast = await forecastRun(editor.api, whole);
  } catch (error) {
    editor.notifyError(error);
    return;
  }
  if (editor.state.whole !== whole) return;
  view.setState({
    forecast: Object.fromEntries(forecast.nodes.map((node) => [node.node, node])),
    lastForecast: forecast,
    ...estimatesIn(forecast),
  });
  showDock(editor, view, "forecast");
  speak(view, forecastSummary(forecast)); // the table shows it
  const stop = editor.store.subscribe((state) => {
    if (state.whole === whole) return;
    stop();
    view.setState({ forecast: null });
  });
}

function forecastSummary({ nodes, totals, other_work: otherWork }: RunForecast): string {
  const { critical_path_seconds: seconds, nodes_reused: reused } = totals;
  if (reused === nodes.length) return t("Nothing has changed. A run reuses every output.");
  const doubts = nodes.reduce((sum, node) => sum + node.findings.length, 0);
  const { words, seconds: loadedSeconds } = otherWork;
  const time = formatSeconds(seconds);
  const sentences = [
    reused > 0
      ? t("A run takes about {time} here; {reused:,} {reused:node|nodes} will be reused.", {
          time,
          reused,
        })
      : t("A run takes about {time} here.", { time }),
  ];
  if (words) {
    const loaded = formatSeconds(loadedSeconds);
    sentences.push(t("Under the current load ({words}): about {time}.", { words, time: loaded }));
  }
  if (doubts > 0) {
    sentences.push(
      t("{doubts:,} {doubts:warning|warnings}: see the table below the canvas.", { doubts }),
    );
  }
  return sentences.join(" ");
}
