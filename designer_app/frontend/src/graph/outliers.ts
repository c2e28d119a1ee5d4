/**
 * Values that would flatten the rest of a curve, such as the loss of a first epoch. The same as in
 * `designer_app/elements/outliers.py`; `tests/cases/outliers.json` checks both.
 */

const FEWEST = 4;
/** Number of quartile ranges above the upper quartile. */
const REACH = 6;
/** Outliers are cut off only if the curve would be this many times as high with them. */
const FLATTENS = 4;

/** Return the highest value that a chart shows; null if it shows all. */
export function clipLimit(values: readonly number[]): number | null {
  const sorted = values.filter(Number.isFinite).toSorted((one, other) => one - other);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || sorted.length < FEWEST) return null;
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? high;
  const limit = at(0.75) + REACH * (at(0.75) - at(0.25));
  const shown = sorted.findLast((value) => value <= limit) ?? high;
  return high - low > FLATTENS * (shown - low) && shown < high ? shown : null;
}
