/** Documents that were written without places, as a canvas can show them. */

import type { Api } from "../api/client";
import { type Opened, openPipeline } from "../api/pipelines";
import type { Catalog } from "../graph/catalog";
import { isUnplaced } from "../graph/layout/geometry";
import type { PipelineDocument } from "../graph/types";
import type { EditorState } from "./types";

/**
 * Tidied, the same each time, and kept with the first edit; what has places is not touched. Where a
 * version is shown already, its nodes stay where they are shown.
 */
export async function withPlaces(
  document: PipelineDocument,
  catalog: Catalog,
  shown?: PipelineDocument,
): Promise<PipelineDocument> {
  const { definitions = [] } = document;
  if (!shown && ![document, ...definitions].some(isUnplaced)) return document;
  return (await import("../graph/layout/unplaced")).placed(document, catalog, shown);
}

interface Shown {
  readonly api: Api;
  readonly id: string;
  readonly state: Pick<EditorState, "catalog" | "whole">;
}

/** A pipeline that is shown, as it is saved now; throws `ApiError`. */
export async function openAgain({ api, id, state }: Shown): Promise<Opened> {
  const opened = await openPipeline(api, id);
  return { ...opened, document: await withPlaces(opened.document, state.catalog, state.whole) };
}
