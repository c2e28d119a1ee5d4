/** Saved pipelines, and the server's answers about a document. */

import type { PipelineDocument, Problem } from "../graph/types";
import { type Api, TORCH_MILLISECONDS, answerOf } from "./client";
import type { CatalogAnswer, Choices, RunForecast, RevisionEntry, Verdict } from "./types.gen";

export interface Opened {
  readonly document: PipelineDocument;
  /** ETag of the revision, on which the next commit is based. */
  readonly revision: string;
}

export interface Committed {
  readonly revision: string;
  /** Problems, which arrive after the confirmation; null if they do not arrive. */
  readonly problems: Promise<readonly Problem[] | null>;
}

/** Client and sequence number of a commit: a commit that is sent twice is stored once. */
interface CommitName {
  readonly client: string;
  readonly seq: number;
  readonly revision: string;
}

/** Return the modules, the compute targets and the settings of a new pipeline. */
export function fetchCatalog(api: Api): Promise<CatalogAnswer> {
  return api.ask("GET /catalog", {});
}

/** Store a document as a new pipeline, older formats included; returns its id. */
export async function createPipeline(api: Api, content: unknown): Promise<string> {
  return (await api.ask("POST /pipelines", { body: content as PipelineDocument })).id;
}

export async function openPipeline(api: Api, id: string): Promise<Opened> {
  const response = await api.send("GET /pipelines/{pipeline_id}", { path: { pipeline_id: id } });
  const document = await answerOf<"GET /pipelines/{pipeline_id}">(response);
  return { document, revision: revisionOf(response) };
}

export async function commitPipeline(
  api: Api,
  document: PipelineDocument,
  { client, seq, revision }: CommitName,
): Promise<Committed> {
  const response = await api.send("PUT /pipelines/{pipeline_id}", {
    path: { pipeline_id: document.id },
    header: {
      "If-Match": revision,
      "X-Designer-Client": client,
      "X-Designer-Seq": String(seq),
    },
    body: document,
  });
  const rest = answerOf<"PUT /pipelines/{pipeline_id}">(response);
  const problems = rest.then(
    (committed) => committed.problems ?? [],
    () => null,
  );
  return { revision: revisionOf(response), problems };
}

export async function undeletePipeline(api: Api, id: string): Promise<void> {
  await api.send("POST /pipelines/{pipeline_id}/undelete", { path: { pipeline_id: id } });
}

export async function listRevisions(api: Api, id: string): Promise<readonly RevisionEntry[]> {
  const path = { pipeline_id: id };
  return (await api.ask("GET /pipelines/{pipeline_id}/revisions", { path })).revisions;
}

/** Set the name of a version; null removes it. */
export async function nameRevision(
  api: Api,
  id: string,
  revision: number,
  name: string | null,
): Promise<void> {
  const path = { pipeline_id: id, revision: String(revision) };
  await api.send("PUT /pipelines/{pipeline_id}/revisions/{revision}/name", {
    path,
    body: { name },
  });
}

/** Make an earlier revision the newest. */
export async function restoreRevision(api: Api, id: string, revision: number): Promise<void> {
  const path = { pipeline_id: id, revision: String(revision) };
  await api.send("POST /pipelines/{pipeline_id}/revisions/{revision}/restore", { path });
}

/** Read a document of any origin and format: complete, in the newest format; throws `ApiError`. */
export function readDocument(api: Api, content: unknown): Promise<PipelineDocument> {
  return api.ask("POST /documents/read", { body: content as PipelineDocument });
}

export function validatePipeline(api: Api, document: PipelineDocument): Promise<Verdict> {
  return api.ask("POST /validate", { body: document });
}

/** Return the choices of parameters that the data offers, by node. */
export async function choicesIn(api: Api, document: PipelineDocument): Promise<Choices["nodes"]> {
  return (await api.ask("POST /choices", { body: document })).nodes;
}

/** Return the forecast of a run. */
export function forecastRun(api: Api, document: PipelineDocument): Promise<RunForecast> {
  return api.ask("POST /forecast", { body: document }, TORCH_MILLISECONDS);
}

function revisionOf(response: Response): string {
  return response.headers.get("ETag") ?? "";
}
