/** Remaining time of a run, loaded with the status of runs: it expands sub-pipelines. */

import { expanded } from "./expansion";
import { linksInto, remembered } from "./lookup";
import { type Estimates, type Steps, partDone } from "./runShare";
import { isStepFinished, progressOf } from "./runState";
import { order } from "./traversal";
import type { PipelineDocument, StepState } from "./types";

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
