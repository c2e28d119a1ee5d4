/** Asking what a run would do, and showing it on the nodes until the pipeline changes. */

import type { Forecast } from "../bridge/api";
import type { Editor } from "../store/editor";
import { formatSeconds, plural } from "./format";
import { type View, speak } from "./view";

export async function showForecast(editor: Editor, view: View): Promise<void> {
  const { document } = editor.state;
  let forecast: Forecast;
  try {
    forecast = await editor.api.forecast(document);
  } catch (error) {
    editor.notifyError(error);
    return;
  }
  if (editor.state.document !== document) return;
  view.setState({ forecast: Object.fromEntries(forecast.nodes.map((each) => [each.node, each])) });
  const words = inWords(forecast);
  editor.notify(words);
  speak(view, words);
  const stop = editor.store.subscribe((state) => {
    if (state.document === document) return;
    stop();
    view.setState({ forecast: null });
  });
}

function inWords({ nodes, totals }: Forecast): string {
  const { critical_path_seconds: seconds, nodes_reused: reused } = totals;
  if (reused === nodes.length) return "Nothing has changed: a run reuses every output.";
  const kept = reused > 0 ? `; ${plural(reused, "node")} will be reused` : "";
  return `A run takes about ${formatSeconds(seconds)} here${kept}.`;
}
