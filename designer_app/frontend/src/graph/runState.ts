/** State of a run, folded from its events as in `pipelines/events.py`. */

import type {
  Lane,
  MetricPoint,
  Problem,
  Progress,
  RunEvent,
  RunState,
  Stall,
  StepState,
  StepStatus,
} from "./types";

const UNFINISHED_STEP: ReadonlySet<string> = new Set<StepStatus>([
  "not started",
  "queued",
  "preparing",
  "running",
  "finalising",
]);
const UNFINISHED_RUN: ReadonlySet<string> = new Set(["queued", "running"]);
const SUCCEEDED_STEP: ReadonlySet<string> = new Set<StepStatus>(["completed", "reused"]);
/** Fields of the progress that are stored for ranks other than the first. */
const LANE: ReadonlySet<string> = new Set([
  "done",
  "total",
  "own_seconds",
  "own_images_per_second",
]);

export const NEW_STEP: StepState = {
  status: "not started",
  attempt: 0,
  key: null,
  artifact_id: null,
  reused_from: null,
  started: null,
  finished: null,
  problem: null,
  progress: null,
  summary: null,
  warnings: [],
  phases: [],
};

export const NEW_RUN: RunState = {
  status: "queued",
  started: null,
  finished: null,
  cancel_requested: false,
  problem: null,
  steps: {},
};

export function fold(events: Iterable<RunEvent>): RunState {
  let state = NEW_RUN;
  for (const event of events) state = apply(state, event);
  return state;
}

/** Return the state after one more event; unchanged steps keep their identity. */
export function apply(state: RunState, event: RunEvent): RunState {
  if (event.node === null) return applyToRun(state, event);
  const before = state.steps[event.node] ?? NEW_STEP;
  const after = applyToStep(before, event);
  if (after === state.steps[event.node]) return state;
  return { ...state, steps: { ...state.steps, [event.node]: after } };
}

export function isFinished(run: { readonly status: string }): boolean {
  return !UNFINISHED_RUN.has(run.status);
}

export function isStepFinished(step: StepState): boolean {
  return !UNFINISHED_STEP.has(step.status);
}

/** Return true if its outputs can be opened. */
export function hasSucceeded(step: StepState): boolean {
  return SUCCEEDED_STEP.has(step.status);
}

/** Return true if a node's result is more informative than the forecast of its next run. */
export function hasNewerResult(step: StepState | undefined, stale: readonly string[]): boolean {
  return step !== undefined && (step.status === "failed" || hasSucceeded(step)) && !stale.length;
}

/** Duration, or time until `now` (both in seconds since the epoch); null if it never ran. */
export function secondsOf(
  timed: { readonly started: number | null; readonly finished: number | null },
  now?: number,
): number | null {
  const end = timed.finished ?? now ?? null;
  return timed.started === null || end === null ? null : Math.max(0, end - timed.started);
}

/** Return the progress of a step; undefined if it reports none. */
export function progressOf(step: StepState): Progress | undefined {
  const facts = step.progress;
  if (!facts || typeof facts["done"] !== "number" || typeof facts["total"] !== "number")
    return undefined;
  return facts as unknown as Progress;
}

/** Return the status to display: what had not started when its run was cancelled, did not run. */
export function shownStatus(step: StepState | undefined): StepState["status"] {
  if (!step || (step.status === "cancelled" && step.started === null)) return "not started";
  return step.status;
}

/** Return true while the files of a source are checked or downloaded, before any node starts. */
export function isLooking(step: StepState | undefined): boolean {
  return step?.status === "not started" && step.progress !== null;
}

/** Return start of a stall and the last line of each rank; undefined while the step makes
 * progress. */
export function stallOf(step: StepState | undefined): Stall | undefined {
  const facts = step?.status === "running" ? step.progress?.["stalled"] : undefined;
  return facts as Stall | undefined;
}

/** Return the reported progress of each rank; undefined for a rank without a report. */
export function lanesIn(step: StepState | undefined, count: number): readonly (Lane | undefined)[] {
  const first = step && progressOf(step);
  return Array.from({ length: count }, (_, rank) => (rank === 0 ? first : first?.ranks?.[rank]));
}

/** Ratio to the fastest rank below which a rank does not count as slower. */
const EVEN = 1.1;

/** Return the slowest rank: the one with the longest computation for an iteration; -1 for none. */
export function slowestOf(lanes: readonly (Lane | undefined)[]): number {
  const seconds = lanes.map((lane) => lane?.own_seconds ?? 0);
  const known = seconds.filter((value) => value > 0);
  const longest = Math.max(0, ...known);
  return known.length > 1 && longest > EVEN * Math.min(...known) ? seconds.indexOf(longest) : -1;
}

/** Return the first ranks; the slowest replaces the last of them if it is not included. */
export function shownRanks(count: number, lanes: number, slowest: number): readonly number[] {
  const ranks = Array.from({ length: Math.min(count, lanes) }, (_, rank) => rank);
  return slowest < ranks.length ? ranks : [...ranks.slice(0, -1), slowest];
}

/** Return the point of a curve in a MetricLogged event. */
export function metricOf(event: RunEvent): { name: string; point: MetricPoint } | undefined {
  const { name, step, value } = event.data;
  if (event.kind !== "MetricLogged" || typeof name !== "string" || typeof step !== "number")
    return undefined;
  return {
    name,
    point: { step, value: typeof value === "number" ? value : null, time: event.time },
  };
}

/** Number of points above which a live curve is thinned. */
const MOST_POINTS = 1000;

/** Add a point to a curve; a step that is logged again replaces the earlier one. */
export function withPoint(
  curve: readonly MetricPoint[],
  point: MetricPoint,
): readonly MetricPoint[] {
  const last = curve[curve.length - 1];
  if (!last || last.step < point.step) {
    return [...(curve.length < MOST_POINTS ? curve : thinned(curve)), point];
  }
  const kept = curve.filter((other) => other.step !== point.step);
  return [...kept, point].sort((one, other) => one.step - other.step);
}

/** Keep about half of the points: of each four the lowest, the highest and a gap, and both ends. */
function thinned(curve: readonly MetricPoint[]): readonly MetricPoint[] {
  return curve.filter((point, place) => {
    const four = curve.slice(place - (place % 4), place - (place % 4) + 4);
    const values = four.map((item) => item.value);
    const known = values.filter((value) => value !== null);
    const extremes = [Math.min(...known), Math.max(...known), null];
    const isFirst = values.indexOf(point.value) === place % 4;
    return place === 0 || place === curve.length - 1 || (isFirst && extremes.includes(point.value));
  });
}

function applyToRun(state: RunState, event: RunEvent): RunState {
  const { data } = event;
  switch (event.kind) {
    case "RunQueued":
      return {
        ...state,
        status: "queued",
        finished: null,
        problem: null,
        cancel_requested: false,
        steps: requeued(state.steps, data["nodes"] as readonly string[]),
      };
    case "RunStarted":
      return { ...state, status: "running", started: state.started || event.time };
    case "RunInterrupted":
      return { ...state, status: "queued" };
    case "RunCancelRequested":
      return { ...state, cancel_requested: true };
    case "RunFinished":
      return {
        ...state,
        status: data["status"] as string,
        finished: event.time,
        problem: problemIn(event),
      };
    default:
      return state;
  }
}

/** Reset the steps, except outputs of an earlier submission. */
function requeued(steps: RunState["steps"], nodes: readonly string[]): RunState["steps"] {
  const next: Record<string, StepState> = { ...steps };
  for (const node of nodes) {
    const step = next[node] ?? NEW_STEP;
    if (!hasSucceeded(step)) next[node] = { ...NEW_STEP, attempt: step.attempt };
  }
  return next;
}

function applyToStep(step: StepState, event: RunEvent): StepState {
  const { data } = event;
  switch (event.kind) {
    case "StepQueued":
      return {
        ...NEW_STEP,
        status: "queued",
        attempt: step.attempt,
        key: textIn(event, "key"),
        warnings: step.warnings,
      };
    case "StepStarted":
      return {
        ...step,
        status: "preparing",
        attempt: data["attempt"] as number,
        started: event.time,
        phases: entered(step.phases, "preparing", event.time),
      };
    case "StepPhase":
      return inPhase(step, event);
    case "StepLooking":
      return { ...step, progress: data };
    case "StepRunning":
      return { ...step, status: "running", phases: entered(step.phases, "running", event.time) };
    case "StepProgress":
      return { ...step, status: "running", progress: progressAfter(step.progress, data) };
    case "StepStalled":
      return { ...step, progress: { ...step.progress, stalled: data } };
    case "StepWentOn":
      return { ...step, progress: moving(step.progress) };
    case "StepWarning":
      return { ...step, warnings: [...step.warnings, data["message"] as string] };
    case "StepSummary":
      return { ...step, summary: data["text"] as string };
    case "StepFinalising":
      return {
        ...step,
        status: "finalising",
        phases: entered(step.phases, "post-processing", event.time),
      };
    case "StepFinished":
    case "StepReused":
      return succeeded(step, event);
    case "StepFailed":
    case "StepCancelled":
    case "StepSkipped":
    case "StepPaused":
      return {
        ...step,
        status: event.kind.slice("Step".length).toLowerCase(),
        problem: problemIn(event),
        finished: step.started ? event.time : null,
        phases: ended(step.phases, event.time),
      };
    default:
      return step;
  }
}

type Phases = StepState["phases"];
type Phase = Phases[number];

/** A step that waits for resources, in phase "scaling", stays queued. */
const STATUS_OF_PHASE: Partial<Record<Phase["phase"], StepStatus>> = {
  preparing: "preparing",
  running: "running",
  "post-processing": "finalising",
};

function inPhase(step: StepState, event: RunEvent): StepState {
  const phase = event.data["phase"] as Phase["phase"];
  const facts = Object.entries(event.data).filter(([name]) => name !== "phase" && name !== "rank");
  return {
    ...step,
    status: STATUS_OF_PHASE[phase] ?? step.status,
    // Time in which its target waits for machines does not count
    started: phase === "scaling" && !("rank" in event.data) ? null : step.started || event.time,
    phases: entered(step.phases, phase, event.time, Object.fromEntries(facts)),
  };
}

/** Add facts to the current phase of a step; another phase ends it. */
function entered(
  phases: Phases,
  phase: Phase["phase"],
  at: number,
  facts: Phase["facts"] = {},
): Phases {
  const last = phases[phases.length - 1];
  if (last?.phase === phase && last.finished === null) {
    return [...phases.slice(0, -1), { ...last, facts: { ...last.facts, ...facts } }];
  }
  return [...ended(phases, at), { phase, started: at, finished: null, facts }];
}

/** Mark the last phase as finished. */
function ended(phases: Phases, at: number): Phases {
  const last = phases[phases.length - 1];
  return !last || last.finished !== null
    ? phases
    : [...phases.slice(0, -1), { ...last, finished: at }];
}

function moving(progress: StepState["progress"]): StepState["progress"] {
  const kept = Object.entries(progress ?? {}).filter(([name]) => name !== "stalled");
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

/** Return the progress after a report: that of the first rank is the node's, others are in
 * `ranks`. */
function progressAfter(last: StepState["progress"], reported: RunEvent["data"]): RunEvent["data"] {
  const before = moving(last);
  const others = (before?.["ranks"] ?? {}) as RunEvent["data"];
  const rank = reported["rank"] ?? 0;
  if (rank === 0) return Object.keys(others).length > 0 ? { ...reported, ranks: others } : reported;
  const lane = Object.fromEntries(Object.entries(reported).filter(([name]) => LANE.has(name)));
  const { total, unit } = reported as unknown as Progress;
  return {
    ...(before ?? { done: 0, total, unit, rank: 0 }),
    ranks: { ...others, [String(rank)]: lane },
  };
}

function succeeded(step: StepState, event: RunEvent): StepState {
  return {
    ...step,
    status: event.kind === "StepFinished" ? "completed" : "reused",
    artifact_id: event.data["artifact_id"] as string,
    finished: event.time,
    started: step.started || event.time,
    reused_from: textIn(event, "run_id"),
    key: "key" in event.data ? textIn(event, "key") : step.key,
    summary: "summary" in event.data ? textIn(event, "summary") : step.summary,
    phases: ended(step.phases, event.time),
  };
}

function problemIn(event: RunEvent): Problem | null {
  return (event.data["problem"] ?? null) as Problem | null;
}

function textIn(event: RunEvent, name: string): string | null {
  return (event.data[name] ?? null) as string | null;
}
