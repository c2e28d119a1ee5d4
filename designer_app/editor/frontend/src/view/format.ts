/** Numbers as people read them. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function formatCount(value: number): string {
  return whole.format(value);
}

/** "0.4 s", "42 s", "3 min 05 s", "2 h 10 min". */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  if (rounded < 3600) {
    return `${Math.floor(rounded / 60)} min ${String(rounded % 60).padStart(2, "0")} s`;
  }
  const minutes = Math.round(rounded / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ""}`;
}

/** Of a picture: width first, as people say it. */
export function formatSize([height, width]: readonly [number, number]): string {
  return `${width} × ${height}`;
}

/** Three significant digits, without needless zeros: "0.0821", "12.3", "1,797". */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1000) return formatCount(value);
  return String(Number(value.toPrecision(3)));
}

/** "3 nodes", "1 node". */
export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "just now", "5 min ago", else "20 Nov 2026, 13:18", as the other pages say it. */
export function formatMoment(secondsSinceEpoch: number, now: number = Date.now() / 1000): string {
  const ago = now - secondsSinceEpoch;
  if (ago < 60) return "just now";
  if (ago < 3600) return `${Math.floor(ago / 60)} min ago`;
  return moment.format(secondsSinceEpoch * 1000);
}
