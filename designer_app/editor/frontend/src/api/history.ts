/** The history of runs: one page of those that fit. */

import type { Api } from "./client";

export interface HistoryEntry {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly pipeline_id: string | null;
  readonly pipeline_name: string | null;
  readonly status: string;
  readonly created: number;
  readonly started: number | null;
  readonly finished: number | null;
  readonly seconds: number | null;
  readonly num_nodes: number;
  readonly num_done: number;
  readonly note: string;
  readonly tags: readonly string[];
}

export interface HistoryPage {
  readonly runs: readonly HistoryEntry[];
  readonly total: number;
  readonly experiments: readonly string[];
  readonly tags: readonly string[];
}

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
export function pipelineNames(runs: readonly HistoryEntry[]): ReadonlyMap<string, string> {
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

export async function searchRuns(
  api: Api,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryPage> {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  const query = new URLSearchParams([...given, ["limit", String(limit)]]);
  return (await (await api.send("GET", `/runs?${query.toString()}`)).json()) as HistoryPage;
}
