/** Edits that insert a node between others, or reconnect around a removed one. */

import { type Catalog, fits, inputOf, outputOf } from "./catalog";
import { mayLink } from "./connections";
import { addNode, connect, disconnect, moduleOf, nodeOf } from "./edits";
import { linkAt, linksFrom, linksInto } from "./lookup";
import { PORT_TYPE_MISMATCH, refuse } from "./problems";
import { removeNodes } from "./removal";
import * as say from "./sentences/insertions.gen";
import { portOf } from "./portOf";
import { type Statement, about } from "./sentences/sentence";
import type { Endpoint, PipelineDocument } from "./types";

/** Remove a node; its inputs are connected to its outputs if exactly one fits. */
export function removeAndHeal(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
): PipelineDocument {
  const module = moduleOf(catalog, nodeOf(document, id).module);
  const incoming = new Map(linksInto(document, id).map((link) => [link.to.port, link.from]));
  let reconnected = removeNodes(document, [id]);
  for (const link of linksFrom(document, id)) {
    const output = outputOf(module, link.from.port);
    const sources = module.inputs
      .filter((port) => output && fits(catalog, port.type, output.type))
      .flatMap((port) => incoming.get(port.id) ?? []);
    const [source] = sources;
    if (source && sources.length === 1)
      reconnected = connect(reconnected, catalog, source, link.to);
  }
  return reconnected;
}

/** Insert a node of the module half-way on the link that ends at an input. */
export function insertOnLink(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  to: Endpoint,
): PipelineDocument {
  const link = linkAt(document, to);
  if (!link) return refused(about(say.NO_LINK_ENDS, { to: portOf(document, catalog, to) }), to);
  return insertBetween(disconnect(document, to), catalog, moduleId, link.from, to);
}

/** Insert the only module between an output and an input that connects their types. */
export function insertBridge(
  document: PipelineDocument,
  catalog: Catalog,
  from: Endpoint,
  to: Endpoint,
): PipelineDocument {
  const { bridge } = mayLink(document, catalog, from, to);
  if (bridge === null) {
    const ends = { source: portOf(document, catalog, from), to: portOf(document, catalog, to) };
    return refused(about(say.NO_BRIDGE, ends), to);
  }
  return insertBetween(document, catalog, bridge, from, to);
}

/** Insert a node of the module between two ports, by its first compatible ports. */
function insertBetween(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  from: Endpoint,
  to: Endpoint,
): PipelineDocument {
  const module = moduleOf(catalog, moduleId);
  const [source, target] = [nodeOf(document, from.node), nodeOf(document, to.node)];
  const output = outputOf(moduleOf(catalog, source.module), from.port);
  const input = inputOf(moduleOf(catalog, target.module), to.port);
  const entrance = module.inputs.find((port) => output && fits(catalog, output.type, port.type));
  const exit = module.outputs.find((port) => input && fits(catalog, port.type, input.type));
  if (!entrance || !exit) {
    const ends = { source: portOf(document, catalog, from), to: portOf(document, catalog, to) };
    return refused(about(say.DOES_NOT_FIT_BETWEEN, { module: module.title, ...ends }), to);
  }
  const x = (source.position.x + target.position.x) / 2;
  const y = (source.position.y + target.position.y) / 2;
  const added = addNode(document, catalog, moduleId, x, y);
  const id = added.nodes[added.nodes.length - 1]?.id ?? "";
  const entered = connect(added, catalog, from, { node: id, port: entrance.id });
  return connect(entered, catalog, { node: id, port: exit.id }, to);
}

function refused(said: Statement, to: Endpoint): never {
  return refuse(PORT_TYPE_MISMATCH, said, { node: to.node, port: to.port });
}
