/** A run made into something the canvas can show: an editor in which nothing can be changed. */

import type { Api } from "../../api/client";
import { type EarlyStream, askEarly } from "../../api/eventStream";
import { fetchCatalog } from "../../api/pipelines";
import { submittedDocument } from "../../api/runs";
import type { CatalogAnswer } from "../../api/types.gen";
import type { PipelineDocument } from "../../graph/types";
import type { Editor } from "../../store/editor";
import { editorToLookAt } from "../../store/editorToLookAt";

type Graph = readonly [CatalogAnswer, PipelineDocument];

/** What the page has begun to load; only what is asked for next can want it. */
let begun: { readonly runId: string; readonly graph: Promise<Graph> } | null = null;

/** Begins to load the graph of a run that will be wanted in a moment. */
export function prepareRun(api: Api, runId: string): void {
  const graph = askForGraph(api, runId);
  graph.catch(() => undefined); // who wants it asks again
  begun = { runId, graph };
}

/** Throws `ApiError` where there is no such run, or the server does not answer. */
export async function openRun(api: Api, runId: string): Promise<Editor> {
  // how the run stands is the longest answer of a large one: asked for beside its graph
  const page = globalThis.document as Document | undefined;
  const early = page?.hidden ? null : askEarly(api, runId);
  try {
    return await opened(api, runId, early);
  } catch (error) {
    early?.abort.abort();
    throw error;
  }
}

async function opened(api: Api, runId: string, early: EarlyStream | null): Promise<Editor> {
  const prepared = begun?.runId === runId ? begun.graph : null;
  begun = null;
  const ask = (): Promise<Graph> => askForGraph(api, runId);
  const [catalog, submitted] = await (prepared?.catch(ask) ?? ask());
  const document = { ...submitted, id: runId };
  const editor = await editorToLookAt(api, catalog, document);
  editor.runs.follow(runId, document, early);
  return editor;
}

function askForGraph(api: Api, runId: string): Promise<Graph> {
  return Promise.all([fetchCatalog(api), submittedDocument(api, runId)]);
}
