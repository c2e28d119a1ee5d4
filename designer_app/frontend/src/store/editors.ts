/** Editors of this page: one for each pipeline, until the page is closed. */

import type { Api } from "../api/client";
import { type EarlyStream, askEarly } from "../api/eventStream";
import { fetchCatalog, openPipeline } from "../api/pipelines";
import { type Catalog, makeCatalog } from "../graph/catalog";
import { sameValue } from "../graph/edits";
import type { ComputeTarget } from "../graph/types";
import { Editor, type EditorOptions } from "./editor";
import { withPlaces } from "./withPlaces";

const open = new Map<string, Editor>();

/** Return the editor of a pipeline: the open one, or a new one. */
function openEditor(options: EditorOptions): Editor {
  const known = open.get(options.document.id);
  if (known) {
    offer(known, options.catalog, options.targets ?? []);
    return known;
  }
  const editor = new Editor(options);
  open.set(options.document.id, editor);
  return editor;
}

/** Close an editor: its pipeline was deleted, or the page is closed. */
export function closeEditor(pipelineId: string): void {
  open.get(pipelineId)?.close();
  open.delete(pipelineId);
}

type Options = Pick<EditorOptions, "openPipeline">;

/** Requests that the page has started; only the next screen can use them. */
let prepared: {
  readonly id: string;
  readonly loading: Promise<Editor>;
  /** Event stream of the run to show, opened early. */
  readonly early: EarlyStream | null;
} | null = null;

/** Start loading a pipeline that will be opened soon; errors are reported to the caller that
 * opens it. */
export function prepareEditor(
  api: Api,
  id: string,
  options: Options = {},
  runId: string | null = null,
): void {
  const loading = load(api, id, options);
  loading.catch(() => undefined);
  prepared = { id, loading, early: runId ? askEarly(api, runId) : null };
}

/** Return the editor of a saved pipeline, showing a run or its newest; throws `ApiError` if there
 * is none. */
export async function loadEditor(
  api: Api,
  pipelineId: string,
  options: Options = {},
  runId: string | null = null,
): Promise<Editor> {
  const requested = prepared?.id === pipelineId ? prepared.loading : undefined;
  const early = prepared?.early ?? null;
  prepared = null;
  const known = open.get(pipelineId);
  if (known && !requested) {
    known.api.setToken(api.currentToken);
    void renew(known);
    return known;
  }
  const loading = requested?.catch(() => load(api, pipelineId, options));
  const editor = await (loading ?? load(api, pipelineId, options));
  // the server handles one request at a time: what is visible comes first
  void editor.runs.showInitial(runId, early).then(() => editor.checking.askServer());
  return editor;
}

/** Reload after changes on other pages: edits, modules, compute targets, datasets, models. */
async function renew(editor: Editor): Promise<void> {
  const renewed = fetchCatalog(editor.api)
    .then(({ targets, ...spec }) => offer(editor, makeCatalog(spec), targets))
    .catch(() => undefined);
  await Promise.all([editor.catchUp(), renewed]);
  await editor.checking.askServer();
}

/** Pass on only differences: a new catalog renders every node again. */
function offer(editor: Editor, catalog: Catalog, targets: readonly ComputeTarget[]): void {
  const { state } = editor;
  editor.takeOffer({
    ...(sameValue(catalog.spec, state.catalog.spec) ? {} : { catalog }),
    ...(sameValue(targets, state.targets) ? {} : { targets }),
  });
}

async function load(api: Api, pipelineId: string, options: Options): Promise<Editor> {
  const [answer, opened] = await Promise.all([fetchCatalog(api), openPipeline(api, pipelineId)]);
  const { targets, ...spec } = answer;
  const catalog = makeCatalog(spec);
  const document = await withPlaces(opened.document, catalog);
  return openEditor({ ...options, ...opened, document, api, catalog, targets });
}
