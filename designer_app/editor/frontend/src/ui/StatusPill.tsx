/** Status of a node in one or two words. */

import { memo, type ReactElement } from "react";

import { isLooking, progressOf, secondsOf, stallOf } from "../graph/runState";
import type { StepState } from "../graph/types";
import { formatSeconds } from "../view/format";
import { t } from "../graph/translate";

interface Props {
  readonly node: string;
  readonly step: StepState | undefined;
  /** Changes since the run; empty if the result is up to date. */
  readonly stale?: readonly string[];
}

export const StatusPill = memo(function StatusPill({
  node,
  step,
  stale = [],
}: Props): ReactElement {
  const status = isLooking(step) ? "preparing" : (step?.status ?? "not started");
  const words = pillWords(step);
  return (
    <span
      className="pd-status"
      data-testid={`node-status-${node}`}
      data-status={status}
      data-stale={stale.length > 0 || undefined}
      data-stalled={stallOf(step) !== undefined || undefined}
      title={
        stale.length > 0
          ? t("{status}. Changed since: {names}", { status, names: stale.join("; ") })
          : status
      }
    >
      {status === "not started" ? <span className="pd-sr">{t("not started")}</span> : words}
    </span>
  );
});

/** "reused", "1.2 s", "epoch 3 / 5", "0003": most informative text about the status. */
export function pillWords(step: StepState | undefined): string {
  if (!step) return "not started";
  switch (step.status) {
    case "completed": {
      const seconds = secondsOf(step);
      return seconds === null ? "completed" : formatSeconds(seconds);
    }
    case "failed":
      return step.problem?.code ?? "failed";
    case "not started":
      return isLooking(step) ? runningWords(step, "looking") : step.status;
    case "running":
      return runningWords(step, "running");
    default:
      return step.status;
  }
}

function runningWords(step: StepState, otherwise: string): string {
  if (stallOf(step)) return "stalled";
  const progress = progressOf(step);
  if (!progress) return otherwise;
  if (progress.epoch !== undefined)
    return t("epoch {epoch} / {epochs}", { epoch: progress.epoch, epochs: progress.epochs ?? "?" });
  if (progress.total <= 0) return otherwise;
  return `${Math.min(100, Math.floor((100 * progress.done) / progress.total))} %`;
}
