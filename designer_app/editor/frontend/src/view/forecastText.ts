/** Forecast as text at the foot of a node. */

import type { NodeForecast } from "../api/types.gen";
import { formatSeconds, formatSize, plural } from "./format";

/** "about 24 s · 1,437 images · 64 × 64 · 10 classes": what the node will take and give, doubts first. */
export function forecastText(foreseen: NodeForecast): string {
  const said = foreseen.findings.map(({ message, cure }) => `${message} ${cure}`);
  if (foreseen.reused) said.push("will be reused");
  else if (foreseen.seconds !== null) said.push(`about ${formatSeconds(foreseen.seconds)}`);
  if (foreseen.last && !foreseen.reused)
    said.push(`last time ${formatSeconds(foreseen.last.seconds)}`);
  if (foreseen.images !== null) said.push(plural(foreseen.images, "image"));
  if (foreseen.image_size) said.push(formatSize(foreseen.image_size));
  if (foreseen.classes !== null) said.push(`${foreseen.classes} classes`);
  return said.join(" · ") || "Unknown until it runs";
}
