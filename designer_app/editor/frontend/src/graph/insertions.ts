/** Edits that put nodes into a graph or take them out of it: insert, bridge, heal, paste.
 *
 * The same edits as `pipelines/editing/insertions.py`, under the same shared cases. */

import { type Catalog, fits, inputOf, outputOf } from "./catalog";
import { addNode, connect, disconnect, freshId, moduleOf, nodeOf, removeNodes } from "./edits";
import { endKey, linkAt, linksFrom, linksInto } from "./lookup";
import { PORT_TYPE_MISMATCH, refuse } from "./problems";
import { mayLink } from "./connections";
import type { Endpoint, PipelineDocument, Position } from "./types";

/** Pixels, right and down, that a copy lies away from its original. */
export const PASTE_OFFSET = 40;

/** Without the node; what came in is connected to what went out where exactly one fits. */
export function removeAndHeal(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
): PipelineDocument {
  const module = moduleOf(catalog, nodeOf(document, id).module);
  const incoming = new Map(linksInto(document, id).map((link) => [link.to.port, link.from]));
  let healed = removeNodes(document, [id]);
  for (const link of linksFrom(document, id)) {
    const output = outputOf(module, link.from.port);
    const sources = module.inputs
      .filter((port) => output && fits(catalog, port.type, output.type))
      .flatMap((port) => incoming.get(port.id) ?? []);
    const [source] = sources;
    if (source && sources.length === 1) healed = connect(healed, catalog, source, link.to);
  }
  return healed;
}

/** With a node of the module put on the link that ends at an input, half-way. */
export function insertOnLink(
  document: PipelineDocument,
  catalog: Catalog,
  moduleId: string,
  to: Endpoint,
): PipelineDocument {
  const link = linkAt(document, to);
  if (!link) return refused(`No link ends at ${endKey(to)}.`, "Choose an input that has one.", to);
  return insertBetween(disconnect(document, to), catalog, moduleId, link.from, to);
}

/** With the one module between an output and an input that joins their types. */
export function insertBridge(
  document: PipelineDocument,
  catalog: Catalog,
  from: Endpoint,
  to: Endpoint,
): PipelineDocument {
  const { bridge } = mayLink(document, catalog, from, to);
  const message = `No one module joins ${endKey(from)} and ${endKey(to)}.`;
  if (bridge === null) return refused(message, "Connect another output.", to);
  return insertBetween(document, catalog, bridge, from, to);
}

/** With a node of the module between two ports, by its first ports that fit. */
export function insertBetween(
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
    const message = `${module.title} does not fit between ${endKey(from)} and ${endKey(to)}.`;
    return refused(message, "Choose another module.", to);
  }
  const x = (source.position.x + target.position.x) / 2;
  const y = (source.position.y + target.position.y) / 2;
  const added = addNode(document, catalog, moduleId, x, y);
  const id = added.nodes[added.nodes.length - 1]?.id ?? "";
  const entered = connect(added, catalog, from, { node: id, port: entrance.id });
  return connect(entered, catalog, { node: id, port: exit.id }, to);
}

/** With copies of all nodes of another document, the links among them, its notes and groups. */
export function paste(
  document: PipelineDocument,
  copied: PipelineDocument,
  offset: number = PASTE_OFFSET,
): PipelineDocument {
  const names = new Map<string, string>();
  const nodes = [...document.nodes];
  for (const node of copied.nodes) {
    const id = freshId(nodes, node.id);
    names.set(node.id, id);
    nodes.push({ ...node, id, position: beside(node.position, offset) });
  }
  const links = copied.links.flatMap((link) => {
    const [from, to] = [names.get(link.from.node), names.get(link.to.node)];
    if (from === undefined || to === undefined) return [];
    return [{ from: { node: from, port: link.from.port }, to: { node: to, port: link.to.port } }];
  });
  const notes = [...document.notes];
  for (const note of copied.notes) {
    const position = beside(note.position, offset);
    notes.push({ ...note, id: freshId(notes, note.id), position });
  }
  const groups = [...document.groups];
  for (const group of copied.groups) {
    const members = group.nodes.flatMap((id) => names.get(id) ?? []);
    groups.push({ ...group, id: freshId(groups, group.id), nodes: members });
  }
  return { ...document, nodes, links: [...document.links, ...links], notes, groups };
}

function beside({ x, y }: Position, offset: number): Position {
  return { x: x + offset, y: y + offset };
}

/** With copies of some nodes, of the links among them, and of the groups they fill. */
export function duplicate(document: PipelineDocument, ids: Iterable<string>): PipelineDocument {
  return paste(document, extract(document, ids));
}

/** Only these nodes and notes, the links among them, and the groups that they fill. */
export function extract(
  document: PipelineDocument,
  ids: Iterable<string>,
  noteIds: readonly string[] = [],
): PipelineDocument {
  const wanted = new Set(ids);
  const others = document.nodes.filter((node) => !wanted.has(node.id)).map((node) => node.id);
  const notes = document.notes.filter((note) => noteIds.includes(note.id));
  const groups = document.groups.filter(
    (group) => group.nodes.length > 0 && group.nodes.every((id) => wanted.has(id)),
  );
  return { ...removeNodes(document, others), notes, groups };
}

/** The same nodes and notes with the middle of them at a place: for a paste at the pointer. */
export function centredAt(copied: PipelineDocument, x: number, y: number): PipelineDocument {
  const places = [...copied.nodes, ...copied.notes].map((each) => each.position);
  const xs = places.map((place) => place.x);
  const ys = places.map((place) => place.y);
  const dx = Math.round(x - (Math.min(...xs) + Math.max(...xs)) / 2);
  const dy = Math.round(y - (Math.min(...ys) + Math.max(...ys)) / 2);
  const moved = <Part extends { readonly position: Position }>(part: Part): Part => ({
    ...part,
    position: { x: part.position.x + dx, y: part.position.y + dy },
  });
  return { ...copied, nodes: copied.nodes.map(moved), notes: copied.notes.map(moved) };
}

function refused(message: string, cure: string, to: Endpoint): never {
  return refuse(PORT_TYPE_MISMATCH, message, cure, { node: to.node, port: to.port });
}
