/** Forecast of a run: shown in a table, and on the nodes until the pipeline changes. */

import { forecastRun } from "../api/pipelines";
import type { RunForecast } from "../api/types.gen";
import type { Editor } from "../store/editor";
import { showDock } from "../view/dock";
import { formatSeconds, plural } from "../view/format";
import { type View, speak } from "../view/viewStore";

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
  });
  showDock(editor, view, "forecast");
  speak(view, inWords(forecast)); // the table shows it
  const stop = editor.store.subscribe((state) => {
    if (state.whole === whole) return;
    stop();
    view.setState({ forecast: null });
  });
}

function inWords({ nodes, totals, other_work: otherWork }: RunForecast): string {
  const { critical_path_seconds: seconds, nodes_reused: reused } = totals;
  if (reused === nodes.length) return "Nothing has changed. A run reuses every output.";
  const kept = reused > 0 ? `; ${plural(reused, "node")} will be reused` : "";
  const doubts = nodes.reduce((sum, node) => sum + node.findings.length, 0);
  const marked = doubts > 0 ? ` ${plural(doubts, "warning")}: see the table below the canvas.` : "";
  const { words, seconds: beside } = otherWork;
  const busy = words ? ` Under the current load (${words}): about ${formatSeconds(beside)}.` : "";
  return `A run takes about ${formatSeconds(seconds)} here${kept}.${busy}${marked}`;
}
