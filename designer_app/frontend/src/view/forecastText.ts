/** Forecast as text at the foot of a node. */

import type { NodeForecast } from "../api/types.gen";
import { formatSeconds, formatSize } from "./format";
import { t } from "../graph/translate";

/** "about 24 s · 1,437 images · 64 × 64 · 10 classes": time, inputs and outputs, warnings first. */
export function forecastText(forecast: NodeForecast, isPinned = false): string {
  const said = forecast.findings.map(({ message, cure }) => `${message} ${cure}`);
  if (isPinned) said.push(t("pinned"));
  else if (forecast.reused) said.push(t("will be reused"));
  else if (forecast.seconds !== null)
    said.push(t("about {time}", { time: formatSeconds(forecast.seconds) }));
  if (forecast.last && !forecast.reused)
    said.push(t("last time {time}", { time: formatSeconds(forecast.last.seconds) }));
  if (forecast.images !== null)
    said.push(t("{count:,} {count:image|images}", { count: forecast.images }));
  if (forecast.image_size) said.push(formatSize(forecast.image_size));
  if (forecast.classes !== null) said.push(t("{classes} classes", { classes: forecast.classes }));
  said.push(...forecast.notes);
  return said.join(" · ") || t("Unknown until it runs");
}
