/** Runs: submit, find, follow, end. */

import type { PipelineDocument } from "../graph/types";
import type { Api } from "./client";
import type {
  Improvements,
  LearningCurveReport,
  RunCurves,
  RunAnswer,
  RunEntry,
  RunSubmission,
} from "./types.gen";

/** Queue a run; returns its id. */
export async function submitRun(api: Api, request: RunSubmission): Promise<string> {
  return (await api.ask("POST /runs", { body: request })).run_id;
}

/** Queue the pipeline of a run again, after a fix; returns the id of the new run. */
export async function resubmitRun(
  api: Api,
  id: string,
  document: PipelineDocument,
): Promise<string> {
  const said = { path: { run_id: id }, body: { document } };
  return (await api.ask("POST /runs/{run_id}/resubmit", said)).run_id;
}

export function fetchRun(api: Api, id: string): Promise<RunAnswer> {
  return api.ask("GET /runs/{run_id}", { path: { run_id: id } });
}

/** Return the submitted pipeline. */
export function submittedDocument(api: Api, id: string): Promise<PipelineDocument> {
  return api.ask("GET /runs/{run_id}/document", { path: { run_id: id } });
}

/** Return the newest run of a saved pipeline. */
export async function newestRun(api: Api, pipeline: string): Promise<RunEntry | undefined> {
  return (await api.ask("GET /runs", { query: { limit: "1", pipeline } })).runs[0];
}

/** Return the names of all experiments. */
export async function listExperiments(api: Api): Promise<readonly string[]> {
  return (await api.ask("GET /runs", { query: { limit: "1" } })).experiments;
}

export async function cancelRun(api: Api, id: string): Promise<void> {
  await api.send("POST /runs/{run_id}/cancel", { path: { run_id: id } });
}

export async function resumeRun(api: Api, id: string): Promise<void> {
  await api.send("POST /runs/{run_id}/resume", { path: { run_id: id } });
}

/** Ask running trainings to finish early; returns the nodes that will stop. */
export async function stopAndKeep(api: Api, id: string): Promise<readonly string[]> {
  const answer = await api.ask("POST /runs/{run_id}/stop-and-keep", { path: { run_id: id } });
  return answer.stopping ?? [];
}

/** Return the curves of one node by metric, with as many points as a chart can show. */
export async function fetchCurves(
  api: Api,
  id: string,
  node: string,
): Promise<RunCurves["metrics"][string]> {
  const said = { path: { run_id: id }, query: { node } };
  return (await api.ask("GET /runs/{run_id}/metrics", said)).metrics[node] ?? {};
}

/** Open the event stream of a run; the caller reads its body and aborts it. */
export function streamEvents(
  api: Api,
  id: string,
  after: number | null,
  signal: AbortSignal,
): Promise<Response> {
  const header = after === null ? {} : { "Last-Event-ID": String(after) };
  return api.send("GET /runs/{run_id}/events", { path: { run_id: id }, header }, { signal });
}

/** Return the ways to improve the result of a run with frozen layers. */
export function fetchImprovements(api: Api, id: string): Promise<Improvements> {
  return api.ask("GET /runs/{run_id}/improvements", { path: { run_id: id } });
}

/** Return the accuracy by the number of training images of each class. */
export function fetchLearningCurve(api: Api, id: string): Promise<LearningCurveReport> {
  return api.ask("GET /runs/{run_id}/learning-curve", { path: { run_id: id } });
}
