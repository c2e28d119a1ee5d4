/** Last line of a node: its content, progress, or forecast. */

import { memo, type ReactElement } from "react";

import { isLooking, progressOf, stallOf, hasNewerResult } from "../graph/runState";
import { headlineOf } from "../graph/problems";
import { waitingWords } from "../graph/phases";
import { nodeSummary } from "../graph/nodeSummary";
import type { ModuleSpec, PipelineNode, Progress, Stall, StepState } from "../graph/types";
import { useEditorState, useViewState } from "../view/context";
import { formatCount, formatNumber, formatRate, formatSeconds } from "../view/format";
import { forecastText } from "../view/forecastText";
import { selectForecastOf } from "../view/viewStore";
import { selectStaleness } from "../store/selectors";
import { t } from "../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly step: StepState | undefined;
}

export const NodeFooter = memo(function NodeFooter({ node, module, step }: Props): ReactElement {
  const progress = step?.status === "running" || isLooking(step) ? progressIn(step) : undefined;
  const forecast = useViewState(selectForecastOf(node.id));
  const stale = useEditorState(selectStaleness(node.id));
  const result = restingWords(node, module, step);
  const resting = forecast && !hasNewerResult(step, stale) ? forecastText(forecast) : result;
  const stall = stallOf(step);
  const moving = progress ? progressWords(progress) : resting;
  const left = stall ? stallWords(stall) : moving;
  const share = progress && progress.total > 0 ? progress.done / progress.total : undefined;
  return (
    <div className="pd-node-foot">
      <span
        title={stall ? stallReport(stall) : left}
        data-stalled={stall !== undefined || undefined}
      >
        {left}
      </span>
      {!stall && progress?.seconds_left !== undefined && (
        <span>{t("{time} left", { time: formatSeconds(progress.seconds_left) })}</span>
      )}
      {share !== undefined && (
        <span className="pd-track pd-node-bar">
          <i style={{ transform: `scaleX(${Math.min(1, share)})` }} />
        </span>
      )}
    </div>
  );
});

function progressIn(step: StepState | undefined): Progress | undefined {
  return step && progressOf(step);
}

/** Last output of the first rank that has any. */
function stallWords(stall: Stall): string {
  const [rank, line] = Object.entries(stall.ranks).find(([, text]) => text !== "") ?? [];
  return line === undefined
    ? t("No progress")
    : t("No progress. Rank {rank}: {line}", { rank: rank ?? "0", line });
}

function stallReport(stall: Stall): string {
  const lines = Object.entries(stall.ranks).map(([rank, line]) =>
    t("Rank {rank}: {line}", { rank, line: line || "-" }),
  );
  const since = new Date(1000 * stall.since).toLocaleTimeString();
  return [t("No progress since {since}. The last line of each log:", { since }), ...lines].join(
    "\n",
  );
}

function progressWords(progress: Progress): string {
  const said: string[] = [];
  if (progress.images_per_second !== undefined) {
    said.push(formatRate(progress.images_per_second, "images"));
  }
  if (typeof progress.loss === "number")
    said.push(t("loss {loss}", { loss: formatNumber(progress.loss) }));
  if (said.length > 0) return said.join(" · ");
  const { unit } = progress;
  const [done, total] = [formatCount(progress.done), formatCount(progress.total)];
  said.push(
    progress.total > 0 ? t("{done} of {total} {unit}", { done, total, unit }) : `${done} ${unit}`,
  );
  const [things = ""] = progress.unit.split(" "); // "MB" of "MB read"
  if (progress.per_second !== undefined) said.push(formatRate(progress.per_second, things));
  return said.join(" · ");
}

function restingWords(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  step: StepState | undefined,
): string {
  if (node.disabled) return t("Disabled: not included in runs");
  if (step?.status === "failed")
    return step.problem ? headlineOf(step.problem.message) : t("Failed: see the log");
  if (step?.status === "skipped") {
    return step.problem
      ? t("Skipped: {message}", { message: headlineOf(step.problem.message) })
      : t("Not part of this run");
  }
  return waitingWords(step) ?? step?.summary ?? nodeSummary(node, module);
}
