/** Pipelines as Python code, which the server writes, and reads without running it. */

import type { PipelineDocument } from "../graph/types";
import type { Api } from "./client";

/** Return the code of a document, which runs the pipeline if it is executed. */
export async function writeCode(api: Api, document: PipelineDocument): Promise<string> {
  return (await api.ask("POST /code/write", { body: document })).code;
}

/** Return the document of a pipeline in Python code; throws `ApiError` with the line of a fault. */
export function readCode(api: Api, code: string): Promise<PipelineDocument> {
  return api.ask("POST /code/read", { body: { code } });
}
