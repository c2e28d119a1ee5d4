/** The last line of a node: what it holds, how far it is, or what it will do. */

import { memo, type ReactElement } from "react";

import { progressOf } from "../graph/run";
import { settingsLine } from "../graph/summary";
import type { ModuleSpec, PipelineNode, Progress, StepState } from "../graph/types";
import { useViewState } from "../parts/context";
import { foreseenWords } from "../parts/forecasting";
import { formatCount, formatNumber, formatSeconds } from "../parts/format";
import { selectForecastOf } from "../parts/view";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly step: StepState | undefined;
}

export const NodeFooter = memo(function NodeFooter({ node, module, step }: Props): ReactElement {
  const progress = step?.status === "running" ? progressOf(step) : undefined;
  const foreseen = useViewState(selectForecastOf(node.id));
  const resting = foreseen ? foreseenWords(foreseen) : restingWords(node, module, step);
  const left = progress ? progressWords(progress) : resting;
  const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
  return (
    <div className="pd-node-foot">
      <span title={left}>{left}</span>
      {progress?.seconds_left !== undefined && (
        <span>{formatSeconds(progress.seconds_left)} left</span>
      )}
      {share !== undefined && (
        <span className="pd-track pd-node-bar">
          <i style={{ transform: `scaleX(${Math.min(1, share)})` }} />
        </span>
      )}
    </div>
  );
});

function progressWords(progress: Progress): string {
  const said: string[] = [];
  if (progress.images_per_second !== undefined) {
    said.push(`${formatCount(progress.images_per_second)} images/s`);
  }
  if (typeof progress.loss === "number") said.push(`loss ${formatNumber(progress.loss)}`);
  if (said.length > 0) return said.join(" · ");
  return `${formatCount(progress.done)} of ${formatCount(progress.total)} ${progress.unit}`;
}

function restingWords(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  step: StepState | undefined,
): string {
  if (node.disabled) return "Disabled: left out of runs";
  if (step?.status === "failed") return step.problem?.message ?? "Failed: see the log";
  if (step?.status === "skipped") {
    return step.problem ? `Skipped: ${step.problem.message}` : "Not part of this run";
  }
  return step?.summary ?? settingsLine(node, module);
}
