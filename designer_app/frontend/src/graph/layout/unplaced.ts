/** Documents without positions: all their nodes would be at one point. */

import type { Catalog } from "../catalog";
import { moveNodes } from "../edits";
import { withOwnModules } from "../ownModules";
import type { Definition, PipelineDocument, PipelineNode, Position } from "../types";
import type { Places } from "./align";
import { type Sizes, boundsOf, boxOf } from "./boxes";
import { type Box as Area, isAtOrigin, nodeSize } from "./geometry";
import { tidyWithPreviews } from "./tidyWithPreviews";

type Nodes = readonly PipelineNode[];

/** Gap between existing nodes and those placed below. */
const GAP = 64;

/** Tidy a document and its sub-pipelines if they have no positions. */
export async function placed(
  document: PipelineDocument,
  offered: Catalog,
  shown?: PipelineDocument,
): Promise<PipelineDocument> {
  const catalog = withOwnModules(offered, document);
  const { definitions = [] } = document;
  const inside = async (definition: Definition): Promise<Definition> => {
    const { notes = [], groups = [] } = definition;
    const before = shown?.definitions?.find(({ id }) => id === definition.id);
    const asDocument = { ...document, ...definition, notes, groups };
    const { nodes } = await arranged(asDocument, catalog, before?.nodes);
    return nodes === definition.nodes ? definition : { ...definition, nodes };
  };
  const whole = await arranged(document, catalog, shown?.nodes);
  const all = await Promise.all(definitions.map(inside));
  if (all.every((definition, at) => definition === definitions[at])) return whole;
  return { ...whole, definitions: all };
}

/** Keep nodes without a position where they were shown; tidy new ones below the others. */
async function arranged(
  document: PipelineDocument,
  catalog: Catalog,
  shown: Nodes | undefined,
): Promise<PipelineDocument> {
  const bare = document.nodes.filter(isAtOrigin);
  if (bare.length === 0) return document;
  const known = placesIn(shown ?? [], bare);
  const sizes = sizesOf(document, catalog);
  const back = known.size > 0 ? moveNodes(document, known) : document;
  const fresh = bare.filter(({ id }) => !known.has(id));
  const others = back.nodes.filter((node) => !fresh.includes(node));
  const lies = fresh.length > 1 || (shown && liesOn(fresh, others, sizes));
  if (!lies) return back;
  const wanted = { ids: fresh.map(({ id }) => id), previews: true };
  const places = await tidyWithPreviews(back, catalog, sizes, wanted);
  return moveNodes(back, below(places, others, sizes));
}

function placesIn(shown: Nodes, bare: Nodes): Places {
  const ids = new Set(bare.map(({ id }) => id));
  return new Map(
    shown.filter(({ id }) => ids.has(id)).map(({ id, position }) => [id, position] as const),
  );
}

function sizesOf({ nodes }: PipelineDocument, catalog: Catalog): Sizes {
  return new Map(nodes.map((node) => [node.id, nodeSize(node, catalog.byId.get(node.module))]));
}

function liesOn(fresh: Nodes, others: Nodes, sizes: Sizes): boolean {
  return fresh.some((one) =>
    others.some((other) => overlap(boxOf(one, sizes), boxOf(other, sizes))),
  );
}

/** True if two areas share more than an edge. */
export function overlap(one: Area, other: Area): boolean {
  const [across, down] = [other.x - one.x, other.y - one.y];
  return -other.width < across && across < one.width && -other.height < down && down < one.height;
}

function below(places: Places, others: Nodes, sizes: Sizes): Places {
  const bounds = boundsOf(others, sizes);
  if (!bounds) return places;
  const { x: left, y, height } = bounds;
  const top = y + height + GAP;
  const aside = ({ x, y: down }: Position): Position => ({ x: left + x, y: top + down });
  return new Map([...places].map(([id, place]) => [id, aside(place)]));
}
