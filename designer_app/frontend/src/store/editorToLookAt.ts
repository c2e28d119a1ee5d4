/** Read-only editor, in which a run or a recording is shown. */

import type { Api } from "../api/client";
import type { CatalogAnswer } from "../api/types.gen";
import { makeCatalog } from "../graph/catalog";
import type { PipelineDocument } from "../graph/types";
import { Editor, type EditorOptions } from "./editor";
import { withPlaces } from "./withPlaces";

/** Create a read-only editor. Its document has its own id, so that tabs editing the same pipeline
 * ignore it. */
export async function editorToLookAt(
  api: Api,
  { targets, ...spec }: CatalogAnswer,
  document: PipelineDocument,
  more: Pick<EditorOptions, "openPipeline"> = {},
): Promise<Editor> {
  const catalog = makeCatalog(spec);
  const shown = await withPlaces(document, catalog);
  const unsaved = { revision: "", readOnly: true, storage: null };
  return new Editor({ api, catalog, document: shown, targets, ...unsaved, ...more });
}
