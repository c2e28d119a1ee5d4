/** Reducer of a run's event stream to the view shown on the canvas. */

import type { Snapshot } from "../api/types.gen";
import type { StreamMessageData } from "./streamMessages";
import { sameValue } from "../graph/edits";
import { NEW_RUN, apply, metricOf, withPoint } from "../graph/runState";
import type { PipelineDocument, RunEvent, RunState } from "../graph/types";
import type { RunView } from "./types";

type Metrics = RunView["metrics"];

/** View of a run whose state is not known yet. */
export function newRunView(id: string, document: PipelineDocument | null): RunView {
  const { steps, ...state } = NEW_RUN;
  return {
    id,
    connection: "connecting",
    state,
    steps,
    metrics: {},
    document,
    runnerProblem: null,
    headline: null,
  };
}

/** Return the view after a message of the stream. */
export function afterMessage(view: RunView, message: StreamMessageData): RunView {
  if (message.event === "snapshot") return afterSnapshot(view, message.data);
  if (message.event === "curves") {
    const metrics = keptSame<Metrics[string]>(view.metrics, message.data.metrics);
    return { ...view, metrics };
  }
  if (message.event === "headline") return { ...view, headline: message.data.headline };
  if (message.event === "runner") return { ...view, runnerProblem: message.data.problem };
  return message.data.reduce(afterEvent, view);
}

/** Replace everything except the curves, which follow; unchanged steps keep their identity. */
function afterSnapshot(view: RunView, snapshot: Snapshot): RunView {
  const { steps, ...state } = snapshot.state;
  return {
    ...view,
    state: sameValue(state, view.state) ? view.state : state,
    steps: keptSame(view.steps, steps),
  };
}

function afterEvent(view: RunView, event: RunEvent): RunView {
  const before: RunState = { ...view.state, steps: view.steps };
  const after = apply(before, event);
  const { steps, ...state } = after;
  return {
    ...view,
    state: event.node === null ? state : view.state,
    steps,
    metrics: withMetric(view.metrics, event),
  };
}

function withMetric(metrics: Metrics, event: RunEvent): Metrics {
  const metric = metricOf(event);
  if (!metric || event.node === null) return metrics;
  const curves = metrics[event.node] ?? {};
  const curve = withPoint(curves[metric.name] ?? [], metric.point);
  return { ...metrics, [event.node]: { ...curves, [metric.name]: curve } };
}

/** Return the new entries; an entry equal to an old one keeps its identity. */
function keptSame<Value>(
  old: Readonly<Record<string, Value>>,
  now: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const entries = Object.entries(now).map(([key, value]): [string, Value] => {
    const before = old[key];
    return [key, before !== undefined && sameValue(before, value) ? before : value];
  });
  return Object.fromEntries(entries);
}
