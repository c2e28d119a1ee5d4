/** A small chart of one metric over its steps. */

import { memo, type ReactElement } from "react";

import { clipLimit } from "../../graph/outliers";
import type { MetricPoint } from "../../graph/types";
import { metricText, metricWords } from "../../view/metricWords";
import { t } from "../../graph/translate";

interface Props {
  /** The metric as logged, if it is one. */
  readonly metric: string;
  readonly title?: string;
  readonly points: readonly MetricPoint[];
  /** Step whose weights are kept: its value is the result, not that of the last step. */
  readonly kept?: number | undefined;
}

const BOX = { width: 280, height: 96, left: 38, right: 6, top: 8, bottom: 16 };

export const LineChart = memo(function LineChart({
  metric,
  title = metricWords(metric),
  points,
  kept,
}: Props): ReactElement {
  const known = points.filter(
    (point): point is MetricPoint & { value: number } => point.value !== null,
  );
  const last = known.at(-1);
  const result = known.find(({ step }) => step === kept) ?? last;
  const scale = scaleOf(known);
  const line = known.map((point) => `${scale.x(point.step)} ${scale.y(point.value)}`).join("L");
  const words = result
    ? t("{value} at {step}", { value: metricText(metric, result.value), step: result.step })
    : t("no value yet");
  const isEarlier = result !== last;
  return (
    <figure className="pd-chart">
      <figcaption>
        <span>{title}</span>
        {isEarlier && <span className="pd-dim">{t("epoch {epoch}", { epoch: kept ?? 0 })}</span>}
        <b>{metricText(metric, result?.value)}</b>
      </figcaption>
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} role="img" aria-label={`${title}: ${words}`}>
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <path
              className="pd-chart-grid"
              d={`M${BOX.left} ${scale.y(tick)}H${BOX.width - BOX.right}`}
            />
            <text x={BOX.left - 5} y={scale.y(tick) + 3} textAnchor="end">
              {metricText(metric, tick)}
            </text>
          </g>
        ))}
        <text x={BOX.left} y={BOX.height - 2}>
          {known[0]?.step ?? ""}
        </text>
        <text x={BOX.width - BOX.right} y={BOX.height - 2} textAnchor="end">
          {last && last !== known[0] ? last.step : ""}
        </text>
        {scale.outliers.map(({ step, value }) => (
          <path
            key={step}
            className="pd-chart-outlier"
            d={`M${scale.x(step) - 4} ${BOX.top + 2}l4 -7 4 7Z`}
          >
            <title>
              {t("{value} at {step}, above the chart", { value: metricText(metric, value), step })}
            </title>
          </path>
        ))}
        {known.length > 1 && <path className="pd-chart-line" d={`M${line}`} />}
        {result && (
          <circle cx={scale.x(result.step)} cy={scale.y(result.value)} r="2.8" fill="var(--run)" />
        )}
      </svg>
    </figure>
  );
});

interface Scale {
  readonly x: (step: number) => number;
  readonly y: (value: number) => number;
  readonly ticks: readonly number[];
  /** Points above the chart, which would flatten the others. */
  readonly outliers: readonly Point[];
}

interface Point {
  readonly step: number;
  readonly value: number;
}

function scaleOf(points: readonly Point[]): Scale {
  const values = points.map((point) => point.value);
  const limit = clipLimit(values);
  const [low, high] = [Math.min(...values), limit ?? Math.max(...values)];
  const [first, last] = [points[0]?.step ?? 0, points.at(-1)?.step ?? 1];
  const room = high === low ? Math.abs(high) * 0.1 || 1 : 0;
  const [bottom, top] = points.length > 0 ? [low - room, high + room] : [0, 1];
  const width = BOX.width - BOX.left - BOX.right;
  const height = BOX.height - BOX.top - BOX.bottom;
  return {
    x: (step) => BOX.left + ((step - first) / (last - first || 1)) * width,
    y: (value) => BOX.top + (1 - (Math.min(value, top) - bottom) / (top - bottom)) * height,
    ticks: [bottom, (bottom + top) / 2, top],
    outliers: limit === null ? [] : points.filter(({ value }) => value > limit),
  };
}
