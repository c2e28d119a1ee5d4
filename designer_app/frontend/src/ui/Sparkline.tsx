/** Small curve of numbers, the newest at the right edge of the completed part. */

import { memo, type ReactElement } from "react";

import { clipLimit } from "../graph/outliers";

interface Props {
  readonly values: readonly number[];
  readonly second?: readonly number[];
  /** Completed part of the width: 0 to 1. */
  readonly share: number;
  readonly label: string;
}

const WIDTH = 200;
const HEIGHT = 30;
const MOST = 120;

export const Sparkline = memo(function Sparkline(props: Props): ReactElement {
  const { values, second = [], share, label } = props;
  const all = [...values, ...second];
  const low = Math.min(...all);
  const limit = clipLimit(all);
  const high = limit ?? Math.max(...all);
  const reach = Math.max(0.06, Math.min(1, share)) * WIDTH;
  return (
    <svg
      className="pd-spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {second.length > 1 && (
        <path className="pd-spark-line" data-second d={curve(second, low, high, reach)} />
      )}
      {values.length > 1 && <path className="pd-spark-line" d={curve(values, low, high, reach)} />}
    </svg>
  );
});

function curve(values: readonly number[], low: number, high: number, reach: number): string {
  const step = Math.max(1, Math.ceil(values.length / MOST));
  const shown = values.filter((_, place) => place % step === 0 || place === values.length - 1);
  const range = high - low || 1;
  return shown
    .map((value, place) => {
      const x = (place / Math.max(1, shown.length - 1)) * reach;
      const y = 2 + (1 - (Math.min(value, high) - low) / range) * (HEIGHT - 4);
      return `${place === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join("");
}
