/** History of runs: one page of the matching runs. */

import type { Api } from "./client";
import type { RunColumn, RunEntry, RunList } from "./types.gen";

/** Filters of the run list; empty texts match everything. */
export interface HistoryFilter {
  readonly text: string;
  readonly status: string;
  readonly experiment: string;
  readonly pipeline: string;
  readonly tag: string;
}

export const EVERYTHING: HistoryFilter = {
  text: "",
  status: "",
  experiment: "",
  pipeline: "",
  tag: "",
};

/** Return the names of the runs' pipelines by id; a name of several pipelines is followed by the
 * id. */
export function pipelineNames(runs: readonly RunEntry[]): ReadonlyMap<string, string> {
  const names = new Map(
    runs.flatMap((run) =>
      run.pipeline_id === null ? [] : [[run.pipeline_id, run.pipeline_name || run.pipeline_id]],
    ),
  );
  const often = new Map<string, number>();
  for (const name of names.values()) often.set(name, (often.get(name) ?? 0) + 1);
  const labels = [...names].map(([id, name]): [string, string] => [
    id,
    (often.get(name) ?? 0) > 1 ? `${name} (${id})` : name,
  ]);
  return new Map(labels);
}

/** Return the newest matching runs, each with its values in the requested columns. */
export function searchRuns(
  api: Api,
  filter: HistoryFilter,
  limit: number,
  columns: readonly string[] = [],
): Promise<RunList> {
  const shown = columns.length > 0 ? { columns: columns.join("\n") } : {};
  return api.ask("GET /runs", { query: { ...nonEmpty(filter), ...shown, limit: String(limit) } });
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
