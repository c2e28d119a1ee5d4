/** The history of runs: one page of those that fit. */

import type { Api } from "./client";
import type { RunEntry, RunList } from "./types.gen";

/** What is wanted; empty texts do not matter. */
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

/** What the pipelines of these runs are called, by id; the id stands beside a name that several have. */
export function pipelineNames(runs: readonly RunEntry[]): ReadonlyMap<string, string> {
  const names = new Map(
    runs.flatMap((run) =>
      run.pipeline_id === null ? [] : [[run.pipeline_id, run.pipeline_name || run.pipeline_id]],
    ),
  );
  const often = new Map<string, number>();
  for (const name of names.values()) often.set(name, (often.get(name) ?? 0) + 1);
  const told = [...names].map(([id, name]): [string, string] => [
    id,
    (often.get(name) ?? 0) > 1 ? `${name} (${id})` : name,
  ]);
  return new Map(told);
}

export function searchRuns(api: Api, filter: HistoryFilter, limit: number): Promise<RunList> {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  return api.ask("GET /runs", { query: { ...Object.fromEntries(given), limit: String(limit) } });
}
