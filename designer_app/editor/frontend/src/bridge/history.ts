/** The history of runs: one page of those that fit. */

import type { Api } from "./api";

export interface HistoryEntry {
  readonly run_id: string;
  readonly name: string;
  readonly experiment: string;
  readonly pipeline_id: string | null;
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

export async function searchRuns(
  api: Api,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryPage> {
  const given = Object.entries(filter).filter(([, value]) => value !== "");
  const query = new URLSearchParams([...given, ["limit", String(limit)]]);
  return (await (await api.send("GET", `/runs?${query.toString()}`)).json()) as HistoryPage;
}
