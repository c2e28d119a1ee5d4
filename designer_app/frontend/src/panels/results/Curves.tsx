/** Curves of a node, from its first iteration on. */

import type { ReactElement } from "react";

import type { ModelPreview } from "../../api/types.gen";
import { pathTitle } from "../../graph/places";
import { hasSucceeded } from "../../graph/runState";
import type { MetricPoint } from "../../graph/types";
import { curvesOf } from "../../store/replayRecording";
import { lossesOf } from "../../store/lossTraces";
import {
  selectCatalog,
  selectMetrics,
  selectMetricsOf,
  selectStep,
  selectWhole,
} from "../../store/selectors";
import { Facts } from "../../ui/Facts";
import { useEditor, useEditorState, useViewState } from "../../view/context";
import { metricText, metricWords } from "../../view/metricWords";
import { LineChart } from "./LineChart";
import { useCurves } from "./useCurves";
import { t } from "../../graph/translate";

/** Curves shown first. */
const FIRST = ["Train loss", "Valid loss", "Top-1 validation accuracy"];
/** Metric whose first lowest value marks the epoch whose weights a training keeps, as in
 * `pipelines/store/database/run_results.py`: cases of both are in `tests/cases/kept_epochs.json`. */
const BEST_EPOCH_METRIC = "Valid loss";

interface Props {
  readonly node: string;
  /** Output of the node: a reused model has its own curves. */
  readonly model: ModelPreview | undefined;
}

/** Curves of a node; of a sub-pipeline those of each inner node that has any. */
export function Curves({ node, model }: Props): ReactElement {
  const metrics = useEditorState(selectMetrics);
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const inside = Object.keys(metrics).filter((path) => path.startsWith(`${node}/`));
  if (inside.length === 0) return <CurvesOf node={node} model={model} />;
  return (
    <>
      {inside.map((path) => (
        <section key={path} aria-label={pathTitle(whole, catalog, path)}>
          <h3>{pathTitle(whole, catalog, path)}</h3>
          <CurvesOf node={path} model={undefined} />
        </section>
      ))}
    </>
  );
}

function CurvesOf({ node, model }: Props): ReactElement {
  const recorded = useViewState((state) => state.recorded);
  const played = useEditorState(selectMetricsOf(node));
  const fetched = useCurves(recorded ? null : node);
  const own = recorded ? played : fetched;
  const curves = Object.keys(own).length === 0 && model ? curvesOf(model) : own;
  const step = useEditorState(selectStep(node));
  const kept = step && hasSucceeded(step) ? keptEpoch(curves) : undefined;
  const names = Object.keys(curves).toSorted((one, other) => rank(one) - rank(other));
  // a single value is not a curve: speed at the end, or everything of a single epoch
  const single = names.filter((name) => curves[name]?.length === 1);
  return (
    <div className="pd-curves" data-testid="result-curves">
      <LossSoFar node={node} />
      {names
        .filter((name) => !single.includes(name))
        .map((name) => (
          <LineChart key={name} metric={name} points={curves[name] ?? []} kept={kept} />
        ))}
      {single.length > 0 && (
        <Facts
          facts={single.map((name) => [
            metricWords(name),
            metricText(name, curves[name]?.[0]?.value),
          ])}
        />
      )}
    </div>
  );
}

/** The loss while a node trains, as reported several times in an epoch. */
function LossSoFar({ node }: { readonly node: string }): ReactElement | null {
  const editor = useEditor();
  const step = useEditorState(selectStep(node));
  const losses = lossesOf(editor, node);
  if (!step || hasSucceeded(step) || losses.length === 0) return null;
  const points = losses.map((value, place) => ({ step: place + 1, value, time: 0 }));
  return <LineChart metric="loss" title={t("Training loss within epochs")} points={points} />;
}

/** Return the epoch whose weights are kept; undefined without a validation loss. */
export function keptEpoch(
  curves: Readonly<Record<string, readonly MetricPoint[]>>,
): number | undefined {
  let best: { readonly step: number; readonly value: number } | undefined;
  for (const { step, value } of curves[BEST_EPOCH_METRIC] ?? []) {
    if (value !== null && (!best || value < best.value)) best = { step, value };
  }
  return best?.step;
}

function rank(name: string): number {
  const place = FIRST.indexOf(name);
  return place < 0 ? FIRST.length : place;
}
