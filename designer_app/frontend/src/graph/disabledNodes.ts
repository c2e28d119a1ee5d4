/** Disabled nodes pass their input through if exactly one input fits. */

import { type Catalog, fits, outputOf } from "./catalog";
import { findNode, linkAt } from "./lookup";
import type { Endpoint, Link, PipelineDocument, Side } from "./types";

/** Return the output of an enabled node behind an output, skipping disabled nodes. */
export function sourceOf(
  end: Endpoint,
  document: PipelineDocument,
  catalog: Catalog,
): Endpoint | undefined {
  const passed = new Set<string>();
  let at = end;
  while (findNode(document, at.node)?.disabled) {
    const link = passed.has(at.node) ? undefined : bypass(at, document, catalog);
    if (!link) return undefined;
    passed.add(at.node);
    at = link.from;
  }
  return at;
}

/** Return the link into a disabled node that replaces one of its outputs. */
function bypass(end: Endpoint, document: PipelineDocument, catalog: Catalog): Link | undefined {
  const module = catalog.byId.get(findNode(document, end.node)?.module ?? "");
  const output = module && outputOf(module, end.port);
  if (!output) return undefined;
  const fitting = module.inputs.filter((port) => fits(catalog, port.type, output.type));
  const [port] = fitting;
  if (!port || fitting.length !== 1) return undefined;
  const link = linkAt(document, { node: end.node, port: port.id });
  return link && isUsable(link, document, catalog) ? link : undefined;
}

/** Return true if both ends exist, or cannot be known because their module is missing. */
function isUsable(link: Link, document: PipelineDocument, catalog: Catalog): boolean {
  return (
    isThere(link.from, "output", document, catalog) && isThere(link.to, "input", document, catalog)
  );
}

function isThere(end: Endpoint, side: Side, document: PipelineDocument, catalog: Catalog): boolean {
  const node = findNode(document, end.node);
  const module = node && catalog.byId.get(node.module);
  if (!module) return node !== undefined;
  const ports = side === "output" ? module.outputs : module.inputs;
  return ports.some((port) => port.id === end.port);
}
