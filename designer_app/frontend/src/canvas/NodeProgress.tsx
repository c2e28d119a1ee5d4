/** Progress of a training during and after its run: the loss curve and a lane for each rank. */

import { memo, type ReactElement } from "react";

import { isTraining, lanesOf } from "../graph/layout/geometry";
import { hostsOf } from "../graph/phases";
import {
  hasSucceeded,
  isStepFinished,
  lanesIn,
  progressOf,
  shownRanks,
  slowestOf,
} from "../graph/runState";
import type { MetricPoint, ModuleSpec, PipelineNode, StepState } from "../graph/types";
import { useEditor, useEditorState } from "../view/context";
import { formatNumber } from "../view/format";
import { Sparkline } from "../ui/Sparkline";
import { lossesOf } from "../store/lossTraces";
import { selectMetricsOf } from "../store/selectors";
import { t } from "../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
  readonly step: StepState | undefined;
}

export const NodeProgress = memo(function NodeProgress({
  node,
  module,
  step,
}: Props): ReactElement | null {
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
  const losses = lossesOf(editor, node);
  const training = losses.length > 1 ? losses : valuesOf(metrics["Train loss"]);
  if (training.length < 2) {
    return (
      <span className="pd-spark-rest">{withoutCurve(step, training[0] ?? lastLoss(step))}</span>
    );
  }
  const progress = step ? progressOf(step) : undefined;
  const running = step?.status === "running" && progress && progress.total > 0;
  const share = running ? progress.done / progress.total : 1;
  const label = t("Loss from {first} to {last}", {
    first: String(training[0]),
    last: String(training.at(-1)),
  });
  return <Sparkline values={training} second={validation} share={share} label={label} />;
}

/** Text instead of a curve: one epoch is a single point, and a skipped node has none. */
function withoutCurve(step: StepState | undefined, loss: number | undefined): string {
  if (!step) return t("Loss chart appears during training.");
  if (!isStepFinished(step)) return t("The loss chart appears here.");
  if (step.status === "reused") return t("Loss chart: see Result.");
  const isWhole = hasSucceeded(step);
  if (loss === undefined) {
    return isWhole ? t("No loss was logged.") : t("Ended before its first loss.");
  }
  return isWhole
    ? t("Loss {loss} after one epoch.", { loss: formatNumber(loss) })
    : t("Last loss {loss}.", { loss: formatNumber(loss) });
}

/** Loss of the last report, which outlives a reload, unlike the curve of a step that ended early. */
function lastLoss(step: StepState | undefined): number | undefined {
  const loss = step && progressOf(step)?.loss;
  return typeof loss === "number" ? loss : undefined;
}

interface LanesProps {
  readonly node: PipelineNode;
  readonly lanes: number;
  readonly step: StepState | undefined;
}

/** One lane per rank; the slowest rank is marked. */
function Lanes({ node, lanes, step }: LanesProps): ReactElement {
  const { node_count: nodes, process_count_per_node: processes } = node.run_settings;
  const finished = step !== undefined && hasSucceeded(step);
  const rankLanes = lanesIn(step, nodes * processes);
  const slowest = step?.status === "running" ? slowestOf(rankLanes) : -1;
  const hosts = hostsOf(step);
  // the last row shows the number of the others: a node keeps its size
  const rows = rankLanes.length > lanes ? lanes - 1 : lanes;
  return (
    <>
      {shownRanks(rankLanes.length, rows, slowest).map((rank) => {
        const lane = rankLanes[rank];
        const share = lane && lane.total > 0 ? Math.min(1, lane.done / lane.total) : 0;
        return (
          <LaneRow
            key={rank}
            rank={rank}
            share={finished ? 1 : share}
            host={hosts[Math.floor(rank / processes)]}
            ownSeconds={lane?.own_seconds}
            isSlowest={rank === slowest}
          />
        );
      })}
      {rankLanes.length > rows && (
        <div className="pd-lane" data-testid={`more-ranks-${node.id}`}>
          <span style={{ gridColumn: "1 / -1" }}>
            {t("+ {count:,} more {count:rank|ranks}", { count: rankLanes.length - rows })}
          </span>
        </div>
      )}
    </>
  );
}

interface LaneRowProps {
  readonly rank: number;
  readonly share: number;
  readonly host: string | undefined;
  readonly ownSeconds: number | undefined;
  readonly isSlowest: boolean;
}

function LaneRow({ rank, share, host, ownSeconds, isSlowest }: LaneRowProps): ReactElement {
  const pace = ownSeconds
    ? t("{ownSeconds} ms of computation per iteration", {
        ownSeconds: formatNumber(1000 * ownSeconds),
      })
    : "";
  const where = [host && `on ${host}`, pace].filter(Boolean).join(", ");
  const words = isSlowest ? t("{where}: the other ranks wait for it", { where }) : where;
  return (
    <div className="pd-lane" data-slowest={isSlowest || undefined} title={words || undefined}>
      <span>
        {t("rank {rank}", { rank })}
        {isSlowest && <span className="pd-sr"> {t("is the slowest")}</span>}
      </span>
      <span className="pd-track">
        <i style={{ transform: `scaleX(${share})` }} />
      </span>
      <span>{isSlowest ? "slowest" : `${Math.floor(share * 100)} %`}</span>
    </div>
  );
}

function valuesOf(points: readonly MetricPoint[] | undefined): readonly number[] {
  return (points ?? []).flatMap((point) => (point.value === null ? [] : [point.value]));
}
