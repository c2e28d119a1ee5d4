/** What a training shows while it runs and after: the curve of its loss and a lane for each rank. */

import { memo, type ReactElement } from "react";

import { isTraining, lanesOf } from "../graph/geometry";
import { progressOf } from "../graph/run";
import type { MetricPoint, ModuleSpec, PipelineNode, StepState } from "../graph/types";
import { useEditor, useEditorState } from "../parts/context";
import { Sparkline } from "../parts/Sparkline";
import { lossesOf } from "../parts/trace";
import { selectMetricsOf, selectRanksOf } from "../store/selectors";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
  readonly step: StepState | undefined;
}

export const NodeLive = memo(function NodeLive({ node, module, step }: Props): ReactElement | null {
  const lanes = lanesOf(node, module);
  const training = isTraining(module);
  if (!training && lanes === 0) return null;
  return (
    <div className="pd-live">
      {training && <LossCurve node={node.id} step={step} />}
      {lanes > 0 && <Lanes node={node} lanes={lanes} step={step} />}
    </div>
  );
});

function LossCurve({
  node,
  step,
}: {
  readonly node: string;
  readonly step: StepState | undefined;
}): ReactElement {
  const editor = useEditor();
  const metrics = useEditorState(selectMetricsOf(node));
  const validation = valuesOf(metrics["Valid loss"]);
  const told = lossesOf(editor, node);
  const training = told.length > 1 ? told : valuesOf(metrics["Train loss"]);
  if (training.length < 2) {
    return (
      <span className="pd-spark-rest">
        {step ? "The loss is drawn here." : "Draws its loss while it runs."}
      </span>
    );
  }
  const progress = step ? progressOf(step) : undefined;
  const running = step?.status === "running" && progress && progress.total > 0;
  const share = running ? progress.done / progress.total : 1;
  const label = `Loss from ${String(training[0])} to ${String(training.at(-1))}`;
  return <Sparkline values={training} second={validation} share={share} label={label} />;
}

interface LanesProps {
  readonly node: PipelineNode;
  readonly lanes: number;
  readonly step: StepState | undefined;
}

/** One lane a rank; the slowest is marked. Without word from a rank its lane follows the first. */
function Lanes({ node, lanes, step }: LanesProps): ReactElement {
  const ranks = useEditorState(selectRanksOf(node.id));
  const finished = step?.status === "completed" || step?.status === "reused";
  const shares = Array.from({ length: lanes }, (_, rank) => {
    if (finished) return 1;
    const told = ranks[rank] ?? ranks[0];
    return told && told.total > 0 ? Math.min(1, told.done / told.total) : 0;
  });
  const slowest = Math.min(...shares);
  const differs = Math.max(...shares) - slowest > 0.02;
  return (
    <>
      {shares.map((share, rank) => (
        <div
          className="pd-lane"
          key={rank}
          data-slowest={(differs && share === slowest) || undefined}
        >
          <span>rank {rank}</span>
          <span className="pd-track">
            <i style={{ transform: `scaleX(${share})` }} />
          </span>
          <span>{Math.floor(share * 100)} %</span>
        </div>
      ))}
    </>
  );
}

function valuesOf(points: readonly MetricPoint[] | undefined): readonly number[] {
  return (points ?? []).flatMap((point) => (point.value === null ? [] : [point.value]));
}
