/** Comparison of a pipeline with another one, and the pipelines that it can be compared with. */

import type { PipelineDifference, PipelineDocument } from "../graph/types";
import type { Api } from "./client";
import { searchRuns, EVERYTHING } from "./history";
import { listRevisions } from "./pipelines";
import type { ListedRun, PipelineRow, PublishedEntry, RevisionEntry } from "./types.gen";

/** Number of runs that are offered. */
const MOST_RUNS = 100;

/** Baselines that exist for a pipeline; a list that could not be loaded is empty. */
export interface Baselines {
  readonly revisions: readonly RevisionEntry[];
  readonly runs: readonly ListedRun[];
  readonly published: readonly PublishedEntry[];
  readonly pipelines: readonly PipelineRow[];
}

/** Return the differences of a document from the pipeline that a reference names: `pipeline:ID`,
 * `pipeline:ID@REVISION`, `published:NAME@VERSION` or `run:ID`; throws `ApiError`. */
export function comparePipelines(
  api: Api,
  document: PipelineDocument,
  reference: string,
): Promise<PipelineDifference> {
  return api.ask("POST /compare/pipelines", { query: { with: reference }, body: document });
}

/** Return the pipelines to compare with; throws the error of the server if it offers none. */
export async function fetchBaselines(api: Api, id: string): Promise<Baselines> {
  const answers = await Promise.allSettled([
    listRevisions(api, id),
    searchRuns(api, { ...EVERYTHING, pipeline: id }, MOST_RUNS),
    api.ask("GET /published", {}),
    api.ask("GET /pipelines", {}),
  ]);
  const [revisions, runs, published, pipelines] = answers;
  const rejected = answers.filter((answer) => answer.status === "rejected");
  if (rejected.length === answers.length) throw rejected[0]?.reason;
  return {
    revisions: revisions.status === "fulfilled" ? revisions.value : [],
    runs: runs.status === "fulfilled" ? runs.value.runs : [],
    published: published.status === "fulfilled" ? published.value.published : [],
    pipelines: pipelines.status === "fulfilled" ? pipelines.value.pipelines : [],
  };
}
