/** Code of pipelines: review and approval. */

import type { PipelineDocument } from "../graph/types";
import type { Api } from "./client";
import type { CodePiece, CodePlace } from "./types.gen";

/** Return all code that a pipeline executes, and whether it is approved. */
export async function fetchCode(
  api: Api,
  document: PipelineDocument,
): Promise<readonly CodePiece[]> {
  return (await api.ask("POST /code/look", { body: document })).pieces;
}

/** Approve reviewed code, named by its hashes. */
export async function allowCode(api: Api, hashes: readonly string[]): Promise<void> {
  await api.ask("POST /code/allow", { body: { hashes: [...hashes] } });
}

/** An edit of code by the owner of the pipeline: the documents before and after it, and its
 * place. */
export interface OwnEdit {
  readonly before: PipelineDocument;
  readonly after: PipelineDocument;
  readonly places: readonly CodePlace[];
}

/** Approve code that its owner has written; code from elsewhere stays unapproved. */
export async function allowEdit(api: Api, { before, after, places }: OwnEdit): Promise<void> {
  await api.ask("POST /code/edit", { body: { before, after, places: [...places] } });
}
