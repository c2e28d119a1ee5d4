/** The status of a node in one or two words. */

import { memo, type ReactElement } from "react";

import { progressOf, secondsOf } from "../graph/run";
import type { StepState } from "../graph/types";
import { formatSeconds } from "./format";

interface Props {
  readonly node: string;
  readonly step: StepState | undefined;
  /** What changed since, in words; empty where the result still holds. */
  readonly stale?: readonly string[];
}

export const StatusPill = memo(function StatusPill({
  node,
  step,
  stale = [],
}: Props): ReactElement {
  const status = step?.status ?? "not started";
  const words = pillWords(step);
  return (
    <span
      className="pd-status"
      data-testid={`node-status-${node}`}
      data-status={status}
      data-stale={stale.length > 0 || undefined}
      title={stale.length > 0 ? `${status}. Changed since: ${stale.join("; ")}` : status}
    >
      {status === "not started" ? <span className="pd-sr">not started</span> : words}
    </span>
  );
});

/** "reused", "1.2 s", "epoch 3 / 5", "0003": what says most about the status. */
export function pillWords(step: StepState | undefined): string {
  if (!step) return "not started";
  switch (step.status) {
    case "completed": {
      const seconds = secondsOf(step);
      return seconds === null ? "completed" : formatSeconds(seconds);
    }
    case "failed":
      return step.problem?.code ?? "failed";
    case "running":
      return runningWords(step);
    default:
      return step.status;
  }
}

function runningWords(step: StepState): string {
  const progress = progressOf(step);
  if (!progress) return "running";
  if (progress.epoch !== undefined) return `epoch ${progress.epoch} / ${progress.epochs ?? "?"}`;
  if (progress.total <= 0) return "running";
  return `${Math.min(100, Math.floor((100 * progress.done) / progress.total))} %`;
}
