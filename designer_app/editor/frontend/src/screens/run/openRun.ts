/** A run made into something the canvas can show: an editor in which nothing can be changed. */

import type { Api } from "../../bridge/api";
import { makeCatalog } from "../../graph/catalog";
import { Editor } from "../../store/editor";

/** Throws `ApiError` where there is no such run, or the server does not answer. */
export async function openRun(api: Api, runId: string): Promise<Editor> {
  const [{ targets, ...spec }, run] = await Promise.all([api.catalog(), api.run(runId)]);
  // an id of its own: tabs that edit the pipeline must not take this one for one of them
  const document = { ...run.document, id: runId };
  const editor = new Editor({
    api,
    catalog: makeCatalog(spec),
    document,
    revision: "",
    targets,
    readOnly: true,
    storage: null,
  });
  editor.togglePane("minimap", document.nodes.length > 40);
  editor.follow(runId, document);
  return editor;
}
