/** Asking what a run would do, and showing it on the nodes until the pipeline changes. */

import { forecastRun } from "../api/pipelines";
import type { Forecast, NodeForecast } from "../api/types.gen";
import type { Editor } from "../store/editor";
import { formatSeconds, formatSize, plural } from "../view/format";
import { type View, speak } from "../view/viewStore";

export async function showForecast(editor: Editor, view: View): Promise<void> {
  const { whole } = editor.state;
  let forecast: Forecast;
  try {
    await editor.code.settle();
    forecast = await forecastRun(editor.api, whole);
  } catch (error) {
    editor.notifyError(error);
    return;
  }
  if (editor.state.whole !== whole) return;
  view.setState({ forecast: Object.fromEntries(forecast.nodes.map((each) => [each.node, each])) });
  const words = inWords(forecast);
  editor.notify(words);
  speak(view, words);
  const stop = editor.store.subscribe((state) => {
    if (state.whole === whole) return;
    stop();
    view.setState({ forecast: null });
  });
}

function inWords({ nodes, totals, other_work: { words: otherWork } }: Forecast): string {
  const { critical_path_seconds: seconds, nodes_reused: reused } = totals;
  if (reused === nodes.length) return "Nothing has changed: a run reuses every output.";
  const kept = reused > 0 ? `; ${plural(reused, "node")} will be reused` : "";
  const doubts = nodes.reduce((sum, each) => sum + each.findings.length, 0);
  const marked = doubts > 0 ? ` ${plural(doubts, "doubt")}: see the foot of the nodes.` : "";
  const busy = otherWork ? ` At the moment ${otherWork}: it will take longer.` : "";
  return `A run takes about ${formatSeconds(seconds)} here${kept}.${busy}${marked}`;
}

/** "1,437 images · 64 × 64 · 10 classes · 24 s": what the node will give and take, doubts first. */
export function forecastText(foreseen: NodeForecast): string {
  const said = foreseen.findings.map(({ message, cure }) => `${message} ${cure}`);
  if (foreseen.images !== null) said.push(plural(foreseen.images, "image"));
  if (foreseen.image_size) said.push(formatSize(foreseen.image_size));
  if (foreseen.classes !== null) said.push(`${foreseen.classes} classes`);
  if (foreseen.reused) said.push("will be reused");
  else if (foreseen.seconds !== null) said.push(`about ${formatSeconds(foreseen.seconds)}`);
  if (foreseen.last && !foreseen.reused)
    said.push(`last time ${formatSeconds(foreseen.last.seconds)}`);
  return said.join(" · ") || "Not known before it runs";
}
