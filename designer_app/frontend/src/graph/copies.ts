/** Copies of parts of a graph, pasted next to the original or at a position. */

import { freshId, setPin } from "./edits";
import { definitionsFor } from "./definitions";
import { localName } from "./paths";
import { removeNodes } from "./removal";
import type { PipelineDocument, Position } from "./types";

/** Offset of a copy from its original, in pixels to the right and down. */
const PASTE_OFFSET = 40;

/** Add copies of all nodes of another document, their links, notes and groups. Copies are not pinned:
 * they are made to be changed. */
export function paste(
  document: PipelineDocument,
  copied: PipelineDocument,
  offset: number = PASTE_OFFSET,
): PipelineDocument {
  const names = new Map<string, string>();
  const brought = definitionsFor(document, copied);
  const nodes = [...document.nodes];
  const unpinned = setPin(
    copied,
    copied.nodes.map((node) => node.id),
    undefined,
  );
  for (const node of unpinned.nodes) {
    const id = freshId(nodes, node.id);
    names.set(node.id, id);
    const module = brought.modules.get(node.module) ?? node.module;
    nodes.push({ ...node, id, module, position: beside(node.position, offset) });
  }
  const links = copied.links.flatMap((link) => {
    const [from, to] = [names.get(link.from.node), names.get(link.to.node)];
    if (from === undefined || to === undefined) return [];
    const waypoints = link.waypoints?.map((point) => beside(point, offset));
    const ends = { from: { ...link.from, node: from }, to: { ...link.to, node: to } };
    return [waypoints ? { ...ends, waypoints } : ends];
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
  const { definitions } = brought;
  return {
    ...document,
    nodes,
    links: [...document.links, ...links],
    notes,
    groups,
    ...(definitions.length && { definitions }),
  };
}

function beside({ x, y }: Position, offset: number): Position {
  return { x: x + offset, y: y + offset };
}

/** Add copies of some nodes, of the links among them, and of the groups that contain only them. */
export function duplicate(document: PipelineDocument, ids: Iterable<string>): PipelineDocument {
  return paste(document, extract(document, ids));
}

/** Keep only these nodes and notes, the links among them, and the groups that contain only them. */
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

/** Return the same parts with new ids instead of paths, for other documents. */
export function standalone(copied: PipelineDocument): PipelineDocument {
  if (!copied.nodes.some((node) => node.id.includes("/"))) return copied;
  return {
    ...copied,
    parameters: [], // those of the original sub-pipeline
    nodes: copied.nodes.map((node) => ({ ...node, id: localName(node.id) })),
    links: copied.links.map((link) => ({
      ...link,
      from: { ...link.from, node: localName(link.from.node) },
      to: { ...link.to, node: localName(link.to.node) },
    })),
    groups: copied.groups.map((group) => ({ ...group, nodes: group.nodes.map(localName) })),
  };
}

/** Center the nodes and notes at a position: for a paste at the pointer. */
export function centredAt(copied: PipelineDocument, x: number, y: number): PipelineDocument {
  const places = [...copied.nodes, ...copied.notes].map((part) => part.position);
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
