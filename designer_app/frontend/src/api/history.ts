/** History of runs: one page of the matching runs. */

import type { Api } from "./client";
import type { ListedRun, RunColumn, RunList } from "./types.gen";

/** Filters of the run list; empty texts match everything. */
export interface HistoryFilter {
  readonly text: string;
  readonly status: string;
  readonly experiment: string;
  readonly pipeline: string;
  readonly tag: string;
  /** Only runs of this sweep. */
  readonly sweep?: string;
}

export const EVERYTHING: HistoryFilter = {
  text: "",
  status: "",
  experiment: "",
  pipeline: "",
  tag: "",
};

/** Return the labels of the runs' pipelines by id; the server makes them unique. */
export function pipelineLabels(runs: readonly ListedRun[]): ReadonlyMap<string, string> {
  return new Map(
    runs.flatMap((run) =>
      run.pipeline_id === null ? [] : [[run.pipeline_id, run.pipeline_label]],
    ),
  );
}

/** Return the newest matching runs, each with its values in the requested columns. */
export function searchRuns(
  api: Api,
  filter: HistoryFilter,
  limit: number,
  columns: readonly string[] = [],
  offset = 0,
): Promise<RunList> {
  const shown = columns.length > 0 ? { columns: columns.join("\n") } : {};
  const page = { limit: String(limit), ...(offset > 0 ? { offset: String(offset) } : {}) };
  return api.ask("GET /runs", { query: { ...nonEmpty(filter), ...shown, ...page } });
}

/** Return the metrics of the matching runs, and the parameters in which they differ. */
export async function fetchColumns(api: Api, filter: HistoryFilter): Promise<readonly RunColumn[]> {
  const query = { ...nonEmpty(filter), limit: "1000" };
  return (await api.ask("GET /run-columns", { query })).columns;
}

export async function tagRun(api: Api, run: string, tag: string): Promise<void> {
  await api.send("PUT /runs/{run_id}/naming", {
    path: { run_id: run },
    body: { add_tags: [tag] },
  });
}

export async function deleteRun(api: Api, run: string): Promise<void> {
  await api.send("DELETE /runs/{run_id}", { path: { run_id: run } });
}

function nonEmpty(filter: HistoryFilter): Partial<HistoryFilter> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
}
