/** Documents that were written without places, as a canvas can show them. */

import type { Catalog } from "../graph/catalog";
import { isUnplaced } from "../graph/layout/geometry";
import type { PipelineDocument } from "../graph/types";

/** Tidied, the same each time, and kept with the first edit; what has places is not touched. */
export async function withPlaces(
  document: PipelineDocument,
  catalog: Catalog,
): Promise<PipelineDocument> {
  if (!isUnplaced(document)) return document;
  return (await import("../graph/layout/unplaced")).placed(document, catalog);
}
