/** Forecast as text at the foot of a node. */

import type { NodeForecast } from "../api/types.gen";
import { formatSeconds, formatSize, plural } from "./format";

/** "about 24 s · 1,437 images · 64 × 64 · 10 classes": time, inputs and outputs, warnings first. */
export function forecastText(forecast: NodeForecast): string {
  const said = forecast.findings.map(({ message, cure }) => `${message} ${cure}`);
  if (forecast.reused) said.push("will be reused");
  else if (forecast.seconds !== null) said.push(`about ${formatSeconds(forecast.seconds)}`);
  if (forecast.last && !forecast.reused)
    said.push(`last time ${formatSeconds(forecast.last.seconds)}`);
  if (forecast.images !== null) said.push(plural(forecast.images, "image"));
  if (forecast.image_size) said.push(formatSize(forecast.image_size));
  if (forecast.classes !== null) said.push(`${forecast.classes} classes`);
  return said.join(" · ") || "Unknown until it runs";
}
