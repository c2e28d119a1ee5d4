/** Completed share of a run, by the work that it really does. */

import { hasSucceeded, progressOf } from "./runState";
import type { StepState } from "./types";

export type Steps = Readonly<Record<string, StepState>>;

/** Estimated seconds of a run by node: 0 for an output that will be reused. */
export type Estimates = Readonly<Record<string, number>>;

const LEAST_SECONDS = 0.1;

/** Completed share of a run, 0 to 1: nodes count by their estimated time, and reused or skipped
 * ones not at all. */
export function shareDone(steps: Steps, estimates: Estimates = {}): number {
  const work = Object.entries(steps).filter(([, { status }]) => isWork(status));
  const known = work.flatMap(([id]) => estimates[id] ?? []);
  const usual = known.length > 0 ? known.reduce((sum, one) => sum + one, 0) / known.length : 1;
  let [done, all] = [0, 0];
  for (const [id, step] of work) {
    const weight = Math.max(LEAST_SECONDS, estimates[id] ?? usual);
    all += weight;
    done += weight * partDone(step);
  }
  if (all > 0) return done / all;
  return Object.keys(steps).length > 0 ? 1 : 0;
}

/** Return the number of nodes whose outputs were reused. */
export function numReused(steps: Steps): number {
  return Object.values(steps).filter(({ status }) => status === "reused").length;
}

function isWork(status: StepState["status"]): boolean {
  return status !== "reused" && status !== "skipped";
}

/** Return the completed share of a step, 0 to 1. */
export function partDone(step: StepState): number {
  if (hasSucceeded(step)) return 1;
  const progress = step.status === "running" ? progressOf(step) : undefined;
  if (progress?.is_preparation) return 0;
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
}
