/** Round times for an axis of seconds: 0, 10 s, 20 s, ... and not 9.1, 18, 27. */

const STEPS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800,
  86_400,
];
const MOST = 6;

/** Return multiples of a round step from 0 on, at most six before the end. */
export function timeTicks(seconds: number): readonly number[] {
  const longest = STEPS.at(-1) ?? 1;
  const step =
    STEPS.find((step) => seconds / step < MOST) ?? longest * Math.ceil(seconds / longest / MOST);
  const count = Math.floor(seconds / step + 1e-9);
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}
