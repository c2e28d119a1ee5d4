/** Documents without positions, laid out for the canvas. */

import type { Api } from "../api/client";
import { type Opened, openPipeline } from "../api/pipelines";
import type { Catalog } from "../graph/catalog";
import { isUnplaced } from "../graph/layout/geometry";
import type { PipelineDocument } from "../graph/types";
import type { EditorState } from "./types";

/**
 * Lay out nodes without positions, the same way each time; the positions are stored with the first
 * edit. Nodes of a version that is already shown stay where they are.
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

/** Return the saved version of a shown pipeline, laid out; throws `ApiError`. */
export async function openAgain({ api, id, state }: Shown): Promise<Opened> {
  const opened = await openPipeline(api, id);
  return { ...opened, document: await withPlaces(opened.document, state.catalog, state.whole) };
}
