/** The last line of a node: what it holds, how far it is, or what it will do. */

import { memo, type ReactElement } from "react";

import type { NodeForecast } from "../bridge/api";
import { progressOf } from "../graph/run";
import { settingsLine } from "../graph/summary";
import type { ModuleSpec, PipelineNode, Progress, StepState } from "../graph/types";
import { useViewState } from "../parts/context";
import { formatCount, formatNumber, formatSeconds, formatSize, plural } from "../parts/format";
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

/** "1,437 images · 64 × 64 · 10 classes · 24 s": what the node will give, and what it takes. */
function foreseenWords(foreseen: NodeForecast): string {
  const said: string[] = [];
  if (foreseen.images !== null) said.push(plural(foreseen.images, "image"));
  if (foreseen.image_size) said.push(formatSize(foreseen.image_size));
  if (foreseen.classes !== null) said.push(`${foreseen.classes} classes`);
  if (foreseen.reused) said.push("will be reused");
  else if (foreseen.seconds !== null) said.push(`about ${formatSeconds(foreseen.seconds)}`);
  return said.join(" · ") || "Not known before it runs";
}

function restingWords(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  step: StepState | undefined,
): string {
  if (node.disabled) return "Disabled: left out of runs";
  if (step?.status === "failed") return step.problem?.message ?? "Failed: see the log";
  if (step?.status === "skipped") return "Skipped: a node before it gave nothing";
  return step?.summary ?? settingsLine(node, module);
}
