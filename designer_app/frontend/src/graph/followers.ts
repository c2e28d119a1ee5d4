/** Parameters that follow another one: the crop size equals the image size until it is set. */

import { sameValue, setParameter } from "./edits";
import type { Catalog } from "./catalog";
import { findNode } from "./lookup";
import { isChanged, valueOf, visibleParameters } from "./parameters";
import type { JsonValue, ModuleSpec, ParameterSpec, PipelineDocument, PipelineNode } from "./types";

/** Return the parameters that currently follow a parameter: visible, with the same value or both
 * unset. */
export function followersOf(
  module: ModuleSpec,
  node: PipelineNode,
  leader: ParameterSpec,
): readonly ParameterSpec[] {
  return visibleParameters(module, node).filter(
    (follower) => follower.follows?.parameter === leader.id && keepsUp(follower, leader, node),
  );
}

/** Return true if one field can show both. */
export function isFollowing(
  module: ModuleSpec,
  node: PipelineNode,
  follower: ParameterSpec,
): boolean {
  const leader = visibleParameters(module, node).find(
    ({ id }) => id === follower.follows?.parameter,
  );
  return leader !== undefined && sameValue(valueOf(follower, node), valueOf(leader, node));
}

/** Set a value, and that of the parameters that follow it. */
export function setLeading(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
  name: string,
  value: JsonValue,
): PipelineDocument {
  const changed = setParameter(document, catalog, id, name, value);
  const node = findNode(document, id);
  const module = catalog.byId.get(node?.module ?? "");
  const leader = module?.parameters.find((parameter) => parameter.id === name);
  if (!node || !module || !leader) return changed;
  return followersOf(module, node, leader).reduce(
    (led, follower) => setParameter(led, catalog, id, follower.id, value),
    changed,
  );
}

function keepsUp(follower: ParameterSpec, leader: ParameterSpec, node: PipelineNode): boolean {
  if (sameValue(valueOf(follower, node), valueOf(leader, node))) return true;
  return !isChanged(follower, node) && !isChanged(leader, node);
}
