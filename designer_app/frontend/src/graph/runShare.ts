/** Completed share and remaining time of a run, by the work that it really does. */

import { expanded } from "./expansion";
import { linksInto, remembered } from "./lookup";
import { hasSucceeded, isStepFinished, progressOf } from "./runState";
import { order } from "./traversal";
import type { PipelineDocument, StepState } from "./types";

type Steps = Readonly<Record<string, StepState>>;

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

/**
 * Remaining seconds until the last node ends, as in `pipelines/forecasting/forecast.py`: a node
 * starts when its inputs are there and, of those that use all cores, when it is its turn. Null
 * while a node has no estimate. Without a document, one node after the other.
 */
export function secondsLeft(
  steps: Steps,
  estimates: Estimates,
  document: PipelineDocument | null,
  takeTurns: ReadonlySet<string> = new Set(),
): number | null {
  const ends = new Map<string, number>();
  let turn = 0;
  for (const [id, inputs] of document ? inputsInOrder(document) : inSequence(steps)) {
    const step = steps[id];
    if (!step || isStepFinished(step)) continue;
    const left = leftOf(step, estimates[id]);
    if (left === null) return null;
    const ready = Math.max(0, ...inputs.map((input) => ends.get(input) ?? 0));
    const waits = takeTurns.has(id) && step.status !== "running";
    const end = (waits ? Math.max(ready, turn) : ready) + left;
    ends.set(id, end);
    if (takeTurns.has(id)) turn = Math.max(turn, end);
  }
  return Math.max(0, ...ends.values());
}

function leftOf(step: StepState, estimate: number | undefined): number | null {
  const reported = step.status === "running" ? progressOf(step)?.seconds_left : undefined;
  if (reported !== undefined) return reported;
  return estimate === undefined ? null : estimate * (1 - partDone(step));
}

type Inputs = readonly (readonly [id: string, inputs: readonly string[]])[];

/** Nodes of a run with the nodes that they wait for, in the order of their execution. */
const inputsInOrder = remembered((document: PipelineDocument): Inputs => {
  const whole = expanded(document);
  const ids = order(whole) ?? whole.nodes.map((node) => node.id);
  return ids.map((id) => [id, linksInto(whole, id).map((link) => link.from.node)]);
});

function inSequence(steps: Steps): Inputs {
  const ids = Object.keys(steps);
  return ids.map((id, place) => [id, ids.slice(Math.max(0, place - 1), place)]);
}

/** Return the number of nodes whose outputs were reused. */
export function numReused(steps: Steps): number {
  return Object.values(steps).filter(({ status }) => status === "reused").length;
}

function isWork(status: StepState["status"]): boolean {
  return status !== "reused" && status !== "skipped";
}

function partDone(step: StepState): number {
  if (hasSucceeded(step)) return 1;
  const progress = step.status === "running" ? progressOf(step) : undefined;
  if (progress?.is_preparation) return 0;
  return progress && progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
}
