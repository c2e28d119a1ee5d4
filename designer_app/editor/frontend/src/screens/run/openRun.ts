/** A run made into something the canvas can show: an editor in which nothing can be changed. */

import type { Api } from "../../api/client";
import { type EarlyStream, askEarly } from "../../api/eventStream";
import { fetchCatalog } from "../../api/pipelines";
import { submittedDocument } from "../../api/runs";
import type { Editor } from "../../store/editor";
import { editorToLookAt } from "../../store/editorToLookAt";

/** Throws `ApiError` where there is no such run, or the server does not answer. */
export async function openRun(api: Api, runId: string): Promise<Editor> {
  // how the run stands is the longest answer of a large one: asked for beside its graph
  const early = globalThis.document.hidden ? null : askEarly(api, runId);
  try {
    return await opened(api, runId, early);
  } catch (error) {
    early?.abort.abort();
    throw error;
  }
}

async function opened(api: Api, runId: string, early: EarlyStream | null): Promise<Editor> {
  const [catalog, submitted] = await Promise.all([
    fetchCatalog(api),
    submittedDocument(api, runId),
  ]);
  const document = { ...submitted, id: runId };
  const editor = await editorToLookAt(api, catalog, document);
  editor.runs.follow(runId, document, early);
  return editor;
}
