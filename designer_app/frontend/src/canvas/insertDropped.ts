/** Placement of a module dropped on a wire: between its ends, with space around it. */

import type { Catalog } from "../graph/catalog";
import { addedNodes } from "../graph/edits";
import { insertOnLink } from "../graph/insertions";
import { makeRoom } from "../graph/layout/makeRoom";
import type { Endpoint, PipelineDocument } from "../graph/types";

export function insertDropped(
  document: PipelineDocument,
  catalog: Catalog,
  module: string,
  on: Endpoint,
): PipelineDocument {
  const grown = insertOnLink(document, catalog, module, on);
  const [added] = addedNodes(document, grown);
  return added ? makeRoom(grown, added) : grown;
}
