/** Binds of parameters: `train.epochs`; inside a sub-pipeline `front/train.epochs`. */

import { definitionOf } from "./definitions";
import { findNode } from "./lookup";
import { localName, placeAround } from "./paths";
import type { PipelineDocument, PipelineNode } from "./types";

type Holding = Pick<PipelineDocument, "nodes" | "definitions">;

/** Split a bind into the path of the node and the name of its parameter. */
export function halves(bind: string): readonly [path: string, name: string] {
  const [path = "", name = ""] = bind.split(".");
  return [path, name];
}

/** Maximum nesting: `MAX_DEPTH` of `pipelines/document/parts.py`. */
const MOST_LEVELS = 16;

/** Return the module parameters that a bind sets, through parameters of sub-pipelines. */
export function reachedBy(document: Holding, bind: string): readonly string[] {
  const [path, name] = halves(bind);
  const node = nodeAt(document, path);
  const inside = node && definitionOf(document, node.module);
  if (!inside) return [bind];
  if (path.split("/").length > MOST_LEVELS) return [];
  const own = inside.parameters.find(({ id }) => id === name);
  return [bind, ...(own?.binds ?? []).flatMap((inner) => reachedBy(document, `${path}/${inner}`))];
}

/** Return the node at a path, starting from the nodes of a document, as stored in its definition. */
export function nodeAt(document: Holding, path: string): PipelineNode | undefined {
  const own = findNode(document, path);
  const around = placeAround(path);
  if (own || !around) return own;
  const holder = nodeAt(document, around);
  const inside = holder && definitionOf(document, holder.module);
  return inside && findNode(inside, localName(path));
}
