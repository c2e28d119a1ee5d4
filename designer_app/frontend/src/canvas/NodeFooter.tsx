/** Last two lines of a node: its result, progress or forecast, and its settings. */

import { memo, type ReactElement } from "react";

import { hasNewerResult, hasSucceeded, isLooking, progressOf, stallOf } from "../graph/runState";
import { headlineOf } from "../graph/problems";
import { awaitedRun, waitingWords } from "../graph/phases";
import { pinOf } from "../graph/pins";
import { settingsText, shortSummary } from "../graph/nodeSummary";
import type { ModuleSpec, PipelineNode, Progress, Stall, StepState } from "../graph/types";
import { useEditorState, useViewState } from "../view/context";
import { formatCount, formatNumber, formatRate, formatSeconds } from "../view/format";
import { pinMoment } from "../view/pinWords";
import { forecastText } from "../view/forecastText";
import { selectForecastOf } from "../view/viewStore";
import { selectIsUnneeded, selectStaleness } from "../store/selectors";
import { t } from "../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly step: StepState | undefined;
}

/** Texts of a footer: `main` may take both lines, and then hides `more`. */
interface Lines {
  readonly main?: string | undefined;
  readonly more: string;
  /** Tooltip, if it is more than the two texts. */
  readonly whole?: string;
}

export const NodeFooter = memo(function NodeFooter({ node, module, step }: Props): ReactElement {
  const progress = shownProgress(step);
  const forecast = useViewState(selectForecastOf(node.id));
  const stale = useEditorState(selectStaleness(node.id));
  const stall = stallOf(step);
  const settings = settingsText(node, module);
  const unneeded = useEditorState(selectIsUnneeded(node.id));
  const pin = pinOf(node);
  const pinned = pin ? t("Pinned: {when}", { when: pinMoment(pin.run) || pin.run }) : "";
  const lines = ((): Lines => {
    if (stall) return { main: t("No progress"), more: stallLine(stall), whole: stallReport(stall) };
    if (progress) return { main: progressWords(progress), more: timeLeft(progress) };
    const awaited = awaitedRun(step);
    if (awaited) {
      const [main, more] = [t("Waits for run {name}", awaited), t("It computes the same output.")];
      return { main, more, whole: waitingWords(step) };
    }
    if (forecast && !hasNewerResult(step, stale)) {
      return { main: forecastText(forecast, pin !== undefined), more: pinned || settings };
    }
    if (unneeded) return { main: t("Left out: only a pinned node reads it"), more: "" };
    const main = resultOf(node, step);
    const more = stale.length > 0 ? t("outdated") : pinned || settings;
    const isShort = step !== undefined && hasSucceeded(step) && main !== undefined;
    if (!isShort) return { main, more };
    return { main: shortSummary(main), more, whole: [main, settings].filter(Boolean).join("\n") };
  })();
  const { main, more, whole } = lines;
  const purpose = main || more ? undefined : (module?.summary ?? t("Module not installed"));
  return (
    <div
      className="pd-node-foot"
      title={whole ?? [main, more, purpose].filter(Boolean).join("\n")}
      data-stalled={stall !== undefined || undefined}
      data-stale={stale.length > 0 || undefined}
    >
      {main && <span className="pd-foot-main">{main}</span>}
      {more && <span className="pd-foot-more">{more}</span>}
      {purpose && <span className="pd-foot-more pd-foot-purpose">{purpose}</span>}
      <NodeBar step={step} />
    </div>
  );
});

/** Progress at the lower edge of a running node. */
export function NodeBar({ step }: Pick<Props, "step">): ReactElement | null {
  const progress = shownProgress(step);
  if (!progress || progress.total <= 0) return null;
  return (
    <span className="pd-track pd-node-bar">
      <i style={{ transform: `scaleX(${Math.min(1, progress.done / progress.total)})` }} />
    </span>
  );
}

function shownProgress(step: StepState | undefined): Progress | undefined {
  return step && (step.status === "running" || isLooking(step)) ? progressOf(step) : undefined;
}

/** Last output of the first rank that has any. */
function stallLine(stall: Stall): string {
  const [rank, line] = Object.entries(stall.ranks).find(([, text]) => text !== "") ?? [];
  return line === undefined ? "" : t("Rank {rank}: {line}", { rank: rank ?? "0", line });
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

function timeLeft({ seconds_left: seconds }: Progress): string {
  return seconds === undefined ? "" : t("{time} left", { time: formatSeconds(seconds) });
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

/** Return what a node did, or why it did nothing; undefined before its first run. */
function resultOf(node: PipelineNode, step: StepState | undefined): string | undefined {
  if (node.disabled) return t("Disabled: not included in runs");
  if (step?.status === "failed")
    return step.problem ? headlineOf(step.problem.message) : t("Failed: see the log");
  if (step?.status === "skipped")
    // as the badge says
    return step.problem ? headlineOf(step.problem.message) : t("Not part of this run");
  return waitingWords(step) ?? step?.summary ?? undefined;
}
