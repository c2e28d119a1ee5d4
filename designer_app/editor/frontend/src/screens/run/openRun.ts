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

/** What is needed of a run, asked for all at once. */
interface Asked {
  readonly runId: string;
  readonly graph: Promise<Graph>;
  /** How it stands: of a large run the longest answer. None in a tab that nobody looks at. */
  readonly early: EarlyStream | null;
}

/** For so long the page may take until it shows what it has begun to load. */
const WANTED_MS = 60_000;

/** What the page has begun to load; only what is asked for next can want it. */
let begun: Asked | null = null;

/** Begins to load a run that will be wanted in a moment. */
export function prepareRun(api: Api, runId: string): void {
  const asked = askFor(api, runId);
  asked.graph.catch(() => undefined); // who wants it asks again
  begun = asked;
  setTimeout(() => {
    if (begun === asked) giveUp(takeBegun());
  }, WANTED_MS);
}

/** Throws `ApiError` where there is no such run, or the server does not answer. */
export async function openRun(api: Api, runId: string): Promise<Editor> {
  const asked = takeBegun();
  if (asked?.runId !== runId) {
    giveUp(asked);
    return opened(api, askFor(api, runId));
  }
  const graph = asked.graph.catch(() => askForGraph(api, runId));
  return opened(api, { ...asked, graph });
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

function takeBegun(): Asked | null {
  const asked = begun;
  begun = null;
  return asked;
}

function giveUp(asked: Asked | null): void {
  asked?.early?.abort.abort();
}

function askFor(api: Api, runId: string): Asked {
  const page = globalThis.document as Document | undefined;
  const early = page?.hidden ? null : askEarly(api, runId);
  return { runId, graph: askForGraph(api, runId), early };
}

function askForGraph(api: Api, runId: string): Promise<Graph> {
  return Promise.all([fetchCatalog(api), submittedDocument(api, runId)]);
}
