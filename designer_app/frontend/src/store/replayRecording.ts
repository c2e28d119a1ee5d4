/** Recorded data of a node up to the current time. */

import type { ModelPreview, ReplayAnswer, ReplayLog } from "../api/types.gen";
import { progressOf } from "../graph/runState";
import type { MetricPoint, RunEvent, StepState } from "../graph/types";
import type { RunView } from "./types";

/** Most interesting node now: the running one that started last, else the last to end. */
export function nodeOfInterest(view: RunView | null): string | null {
  const steps = Object.entries(view?.steps ?? {}).filter(([, step]) => step.started !== null);
  const running = steps.filter(([, step]) => step.finished === null);
  const [chosen] = (running.length > 0 ? running : steps).toSorted(([, one], [, other]) =>
    running.length > 0
      ? (other.started ?? 0) - (one.started ?? 0)
      : (other.finished ?? 0) - (one.finished ?? 0),
  );
  return chosen?.[0] ?? null;
}

export function logsOf(recorded: ReplayAnswer, node: string): readonly ReplayLog[] {
  return recorded.logs.filter((log) => log.node === node && log.text !== "");
}

/** Part of a log that existed; lines have no times, so they are spread evenly over the node's
 * time. */
export function logAt(log: ReplayLog, step: StepState | undefined, share: number): string {
  if (!step || step.started === null) return "";
  if (step.finished !== null) return log.text;
  const lines = log.text.split("\n");
  return lines.slice(0, Math.floor(lines.length * share)).join("\n");
}

/** Progress of a node between 0 and 1: as reported, else by time. */
export function shareOf(
  recorded: ReplayAnswer,
  node: string,
  view: RunView | null,
  now: number,
): number {
  const step = view?.steps[node];
  if (!step || step.started === null) return 0;
  const progress = progressOf(step);
  if (progress && progress.total > 0) return Math.min(1, progress.done / progress.total);
  const end = recorded.events.find(
    (event) => event.node === node && event.time >= now && /^Step(Fin|Fail|Can)/.test(event.kind),
  );
  if (!end || end.time <= step.started) return 0;
  return Math.min(1, (now - step.started) / (end.time - step.started));
}

/** Losses that every node has reported up to an event, since its newest attempt. */
export function lossesAfter(
  events: readonly RunEvent[],
  count: number,
): ReadonlyMap<string, readonly number[]> {
  const losses = new Map<string, number[]>();
  for (const event of events.slice(0, count)) {
    if (event.node === null) continue;
    if (event.kind === "StepStarted") losses.delete(event.node);
    const loss = event.kind === "StepProgress" ? event.data["loss"] : undefined;
    if (typeof loss !== "number") continue;
    const line = losses.get(event.node) ?? [];
    line.push(loss);
    losses.set(event.node, line);
  }
  return losses;
}

/** A model's curves in the shape of a run's. */
export function curvesOf(preview: ModelPreview): Readonly<Record<string, readonly MetricPoint[]>> {
  const named = Object.entries(preview.curves).filter(([name]) => name.toLowerCase() !== "epoch");
  return Object.fromEntries(
    named.map(([name, values]) => [
      name,
      values.map((value, place) => ({ step: place + 1, value, time: 0 })),
    ]),
  );
}
