/** Removal of nodes and everything that refers to them. */

import { halves } from "./binds";
import { namedParameters } from "./namedParameters";
import { isWithin } from "./paths";
import type { PipelineDocument } from "./types";

/** Remove nodes with their links, and from groups and parameters. */
export function removeNodes(document: PipelineDocument, ids: Iterable<string>): PipelineDocument {
  const gone = new Set(ids);
  return withoutBinds(gone, {
    ...document,
    nodes: document.nodes.filter((node) => !gone.has(node.id)),
    links: document.links.filter((link) => !gone.has(link.from.node) && !gone.has(link.to.node)),
    groups: document.groups.map((group) =>
      group.nodes.some((id) => gone.has(id))
        ? { ...group, nodes: group.nodes.filter((id) => !gone.has(id)) }
        : group,
    ),
  });
}

/** Remove binds to removed nodes; a parameter without binds is removed with them. */
function withoutBinds(gone: ReadonlySet<string>, document: PipelineDocument): PipelineDocument {
  const { parameters = [], ...rest } = document;
  const kept = parameters.flatMap((parameter) => {
    const binds = parameter.binds.filter(
      (bind) => ![...gone].some((id) => isWithin(halves(bind)[0], id)),
    );
    if (binds.length === parameter.binds.length) return [parameter];
    const isNamed = (): boolean => namedParameters(document, document.nodes).has(parameter.id);
    return binds.length || isNamed() ? [{ ...parameter, binds }] : [];
  });
  return kept.length ? { ...rest, parameters: kept } : rest;
}
