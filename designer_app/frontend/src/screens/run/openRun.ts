/** Run opened in a read-only editor. */

import type { Api } from "../../api/client";
import { type EarlyStream, askEarly } from "../../api/eventStream";
import { fetchCatalog } from "../../api/pipelines";
import { submittedDocument } from "../../api/runs";
import type { CatalogAnswer } from "../../api/types.gen";
import type { PipelineDocument } from "../../graph/types";
import type { Editor } from "../../store/editor";
import { editorToLookAt } from "../../store/editorToLookAt";

type Graph = readonly [CatalogAnswer, PipelineDocument];

/** Requests for a run, all sent at once. */
interface Asked {
  readonly runId: string;
  readonly graph: Promise<Graph>;
  /** State of the run: for a large run the longest response. */
  readonly early: EarlyStream | null;
}

/** Requests that the page has started; only the next screen can use them. */
let prepared: Asked | null = null;

/** Start loading a run that will be opened soon. */
export function prepareRun(api: Api, runId: string): void {
  prepared = askFor(api, runId);
  prepared.graph.catch(() => undefined); // the caller requests it again
}

/** Throws `ApiError` if the run does not exist or the server does not respond. */
export async function openRun(api: Api, runId: string): Promise<Editor> {
  const asked = prepared;
  prepared = null;
  if (asked?.runId === runId) {
    return opened(api, { ...asked, graph: asked.graph.catch(() => askForGraph(api, runId)) });
  }
  asked?.early?.abort.abort();
  return opened(api, askFor(api, runId));
}

async function opened(api: Api, { runId, graph, early }: Asked): Promise<Editor> {
  try {
    const [catalog, submitted] = await graph;
    const document = { ...submitted, id: runId };
    const editor = await editorToLookAt(api, catalog, document);
    editor.runs.follow(runId, document, early);
    return editor;
  } catch (error) {
    early?.abort.abort();
    throw error;
  }
}

function askFor(api: Api, runId: string): Asked {
  return { runId, early: askEarly(api, runId), graph: askForGraph(api, runId) };
}

function askForGraph(api: Api, runId: string): Promise<Graph> {
  return Promise.all([fetchCatalog(api), submittedDocument(api, runId)]);
}
