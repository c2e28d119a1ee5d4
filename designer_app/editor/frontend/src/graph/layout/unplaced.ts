/** Documents that were written without places: their nodes would all lie on one spot. */

import type { Catalog } from "../catalog";
import { moveNodes } from "../edits";
import { withOwnModules } from "../ownModules";
import type { Definition, PipelineDocument } from "../types";
import { isUnplaced, nodeSize } from "./geometry";
import { tidyWithPreviews } from "./tidyWithPreviews";

/** Tidied, and what is inside its sub-pipelines as well, each where it has no places. */
export async function placed(
  document: PipelineDocument,
  catalog: Catalog,
): Promise<PipelineDocument> {
  const { definitions = [] } = document;
  const inside = async (definition: Definition): Promise<Definition> => {
    const { notes = [], groups = [] } = definition;
    const { nodes } = await tidied({ ...document, ...definition, notes, groups }, catalog);
    return { ...definition, nodes };
  };
  const whole = isUnplaced(document) ? await tidied(document, catalog) : document;
  if (!definitions.some(isUnplaced)) return whole;
  const all = definitions.map((each) => (isUnplaced(each) ? inside(each) : each));
  return { ...whole, definitions: await Promise.all(all) };
}

async function tidied(document: PipelineDocument, offered: Catalog): Promise<PipelineDocument> {
  const catalog = withOwnModules(offered, document);
  const sizes = new Map(
    document.nodes.map((node) => [node.id, nodeSize(node, catalog.byId.get(node.module))]),
  );
  const places = await tidyWithPreviews(document, catalog, sizes, { previews: true });
  return moveNodes(document, places);
}
