/** Code of pipelines: looked at, and allowed to run here. */

import type { PipelineDocument } from "../graph/types";
import type { Api } from "./client";
import type { CodePiece, CodePlace } from "./types.gen";

/** All that a pipeline has its nodes run, and whether that is allowed here. */
export async function lookAtCode(
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

/** Lets code run that its owner has written; what was foreign before stays so. */
export async function allowEdit(api: Api, { before, after, places }: OwnEdit): Promise<void> {
  await api.ask("POST /code/edit", { body: { before, after, places: [...places] } });
}
