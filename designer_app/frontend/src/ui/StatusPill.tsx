/** Status of a node in one or two words. */

import { memo, type ReactElement } from "react";

import { isLooking, progressOf, secondsOf, shownStatus, stallOf } from "../graph/runState";
import type { StepState } from "../graph/types";
import { formatSeconds } from "../view/format";
import { t } from "../graph/translate";
import { statusWords } from "../graph/statusWords";

interface Props {
  readonly node: string;
  readonly step: StepState | undefined;
  /** Changes since the run; empty if the result is up to date. */
  readonly stale?: readonly string[];
  /** True if the run used the pinned result of the node. */
  readonly pinned?: boolean;
}

export const StatusPill = memo(function StatusPill({
  node,
  step,
  stale = [],
  pinned = false,
}: Props): ReactElement {
  const status = isLooking(step) ? "preparing" : shownStatus(step);
  const words = statusWords(pinned ? "pinned" : status);
  const shown = stale.length > 0 ? t("outdated") : pinned ? words : pillWords(step);
  return (
    <span
      className="pd-status"
      data-testid={`node-status-${node}`}
      data-status={status}
      data-stale={stale.length > 0 || undefined}
      data-stalled={stallOf(step) !== undefined || undefined}
      title={
        stale.length > 0
          ? t("{status}. Changed since: {names}", {
              status: words,
              names: stale.join("; "),
            })
          : words
      }
    >
      {status === "not started" ? <span className="pd-sr">{t("not started")}</span> : shown}
    </span>
  );
});

/** "reused", "1.2 s", "epoch 3 / 5", "trial 2 / 9", "failed": most informative text about the status. */
export function pillWords(step: StepState | undefined): string {
  if (!step) return statusWords("not started");
  switch (shownStatus(step)) {
    case "completed": {
      const seconds = secondsOf(step);
      return seconds === null ? statusWords("completed") : formatSeconds(seconds);
    }
    case "not started":
      return isLooking(step)
        ? runningWords(step, statusWords("looking"))
        : statusWords("not started");
    case "running":
      return runningWords(step, statusWords("running"));
    default:
      return statusWords(step.status);
  }
}

function runningWords(step: StepState, otherwise: string): string {
  if (stallOf(step)) return statusWords("stalled");
  const progress = progressOf(step);
  if (!progress) return otherwise;
  if (progress.unit === "trials") {
    const trial = Math.min(progress.total, Math.floor(progress.done) + 1);
    return t("trial {trial} / {trials}", { trial, trials: progress.total });
  }
  if (progress.epoch !== undefined)
    return t("epoch {epoch} / {epochs}", { epoch: progress.epoch, epochs: progress.epochs ?? "?" });
  if (progress.total <= 0) return otherwise;
  return `${Math.min(100, Math.floor((100 * progress.done) / progress.total))} %`;
}
