/**
 * Values that would flatten the rest of a curve, such as the loss of a first epoch. The same as in
 * `designer_app/elements/outliers.py`; `tests/cases/outliers.json` checks both.
 */

const FEWEST = 4;
/** Share of the values that may be outliers; one always may. */
const SHARE = 0.1;
/** Outliers are cut off only if the curve would be this many times as high with them. */
const FLATTENS = 30;
/** Part of the height above the highest value shown: the curve descends from its outliers. */
const HEADROOM = 0.15;

/** Return the upper end of a chart's axis; null if the chart shows all values. */
export function clipLimit(values: readonly number[]): number | null {
  const sorted = values.filter(Number.isFinite).toSorted((one, other) => one - other);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || sorted.length < FEWEST) return null;
  const most = Math.max(1, Math.floor(SHARE * sorted.length));
  const shown = sorted
    .slice(-1 - most, -1)
    .findLast((value) => value > low && high - low > FLATTENS * (value - low));
  return shown === undefined ? null : shown + HEADROOM * (shown - low);
}
