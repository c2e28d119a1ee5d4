/** Files that a script's processes write, and patterns that match their output. */

import type { Api } from "./client";
import type {
  FileList,
  FileRegistration,
  LogPatternsAnswer,
  ModelVersionReport,
} from "./types.gen";

/** Name of a step: run and node. */
export interface StepName {
  readonly run: string;
  readonly node: string;
}

/** List the first thousand files of a step. */
export function filesOf(api: Api, { run, node }: StepName): Promise<FileList> {
  return api.ask("GET /runs/{run_id}/nodes/{node}/files", { path: { run_id: run, node } });
}

export async function fileOf(api: Api, { run, node }: StepName, file: string): Promise<Blob> {
  const path = { run_id: run, node, file };
  return (await api.send("GET /runs/{run_id}/nodes/{node}/files/{file}", { path })).blob();
}

/** Register a file in its current state. */
export function registerFile(
  api: Api,
  { run, node }: StepName,
  body: FileRegistration,
): Promise<ModelVersionReport> {
  return api.ask("POST /runs/{run_id}/nodes/{node}/models", {
    path: { run_id: run, node },
    body,
  });
}

/** Suggest patterns that would read metrics from the end of the log. */
export function suggestedPatterns(api: Api, { run, node }: StepName): Promise<LogPatternsAnswer> {
  return api.ask("POST /runs/{run_id}/nodes/{node}/log-patterns", {
    path: { run_id: run, node },
    body: {},
  });
}
