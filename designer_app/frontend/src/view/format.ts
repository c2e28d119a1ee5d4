/**
 * Numbers as text. Durations, sizes, counts, rates and figures are formatted as in
 * `modules/formatting.py`; `tests/cases/formatting.json` checks both. Halves are rounded up, by the
 * same arithmetic in both languages. Separators are those of the language of the page.
 */

import { localNumber } from "../graph/sentences/catalog";
import { t } from "../graph/translate";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** "12,345". */
export function formatCount(value: number): string {
  return localNumber(whole.format(Math.floor(value + 0.5)));
}

/** "0.4 s", "42 s", "1 min 5 s", "2 h 10 min". */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${short(Math.max(0, seconds))} s`;
  const rounded = Math.floor(seconds + 0.5);
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) return ofTwo(rounded, 60, "min", "s");
  return ofTwo(Math.floor(rounded / 60 + 0.5), 60, "h", "min");
}

/** Format bytes in units of a thousand: "812 B", "4.2 MB", "120 MB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit > 0 ? short(value) : formatCount(value)} ${UNITS[unit] ?? ""}`;
}

/** Format a price without its currency: "12.40", "less than 0.01". */
export function formatCost(cost: number): string {
  if (cost > 0 && cost < 0.01) return t("less than 0.01");
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return localNumber(cost.toLocaleString("en-US", digits));
}

/** "3.4 images/s", "1,212 images/s". */
export function formatRate(perSecond: number, things: string): string {
  return `${short(perSecond)} ${things}/s`;
}

/** Format with three significant digits, without trailing zeros: "0.0821", "12.3", "1,797". */
export function formatNumber(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 999.5 && Math.abs(value) < 1e15) return formatCount(value);
  return localNumber(String(Number(value.toPrecision(3))));
}

/** Format with one decimal below ten, else none. */
function short(value: number): string {
  if (value >= 9.95) return formatCount(value);
  return localNumber((Math.floor(value * 10 + 0.5) / 10).toFixed(1));
}

/** "1 min 5 s" of 65 with 60 each; "2 min" without a remainder. */
function ofTwo(count: number, size: number, large: string, small: string): string {
  const rest = count % size;
  const most = `${Math.floor(count / size)} ${large}`;
  return rest > 0 ? `${most} ${rest} ${small}` : most;
}

/** Format the size of an image, width first. */
export function formatSize([height, width]: readonly [number, number]): string {
  return `${width} × ${height}`;
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** `20 Nov 2026, 13:18`. */
export function formatDate(secondsSinceEpoch: number): string {
  return moment.format(secondsSinceEpoch * 1000);
}

/** `just now`, `5 min ago`, else `20 Nov 2026, 13:18`, as on the other pages. */
export function formatMoment(secondsSinceEpoch: number, now: number = Date.now() / 1000): string {
  const ago = now - secondsSinceEpoch;
  if (ago < 60) return t("just now");
  if (ago < 3600) return t("{floor} min ago", { floor: Math.floor(ago / 60) });
  return formatDate(secondsSinceEpoch);
}
