/** Notes on the canvas and groups drawn as frames around nodes. */

import { freshId, nodeOf } from "./edits";
import { UNKNOWN_NODE, refuse } from "./problems";
import { NO_PART_DRAWN } from "./sentences/edits.gen";
import { about } from "./sentences/sentence";
import type { Group, Note, PipelineDocument } from "./types";
import { t } from "./translate";

export const GROUP_COLOURS = ["grey", "blue", "green", "violet", "amber", "red"] as const;

/** Add a note at a position; it is the last of the document's notes. */
export function addNote(
  document: PipelineDocument,
  x: number,
  y: number,
  text = "",
): PipelineDocument {
  const id = freshId(document.notes, "note");
  const note = { id, position: { x, y }, width: 240, height: 120, text };
  return { ...document, notes: [...document.notes, note] };
}

export function changeNote(
  document: PipelineDocument,
  id: string,
  changes: Partial<Omit<Note, "id">>,
): PipelineDocument {
  const note = partWith(document.notes, id, "note");
  const changed = { ...note, ...changes };
  return { ...document, notes: document.notes.map((note) => (note.id === id ? changed : note)) };
}

export function removeNotes(document: PipelineDocument, ids: Iterable<string>): PipelineDocument {
  const gone = new Set(ids);
  return { ...document, notes: document.notes.filter((note) => !gone.has(note.id)) };
}

/** Group nodes in a frame; they leave their previous groups, and empty groups are removed. */
export function groupNodes(
  document: PipelineDocument,
  ids: readonly string[],
  title = t("Group"),
  colour = "grey",
): PipelineDocument {
  for (const id of ids) nodeOf(document, id);
  const moved = new Set(ids);
  const kept = document.groups
    .map((group) => ({ ...group, nodes: group.nodes.filter((id) => !moved.has(id)) }))
    .filter((group) => group.nodes.length > 0);
  const id = freshId(document.groups, "group");
  const group = { id, title, colour, nodes: [...moved], collapsed: false };
  return { ...document, groups: [...kept, group] };
}

export function changeGroup(
  document: PipelineDocument,
  id: string,
  changes: Partial<Omit<Group, "id">>,
): PipelineDocument {
  const group = partWith(document.groups, id, "group");
  const changed = { ...group, ...changes };
  return {
    ...document,
    groups: document.groups.map((group) => (group.id === id ? changed : group)),
  };
}

/** Remove groups; their nodes stay. */
export function ungroup(document: PipelineDocument, ids: Iterable<string>): PipelineDocument {
  const gone = new Set(ids);
  return { ...document, groups: document.groups.filter((group) => !gone.has(group.id)) };
}

/** Return the group of a node. */
export function groupOf(document: PipelineDocument, node: string): Group | undefined {
  return document.groups.find((group) => group.nodes.includes(node));
}

function partWith<Part extends { readonly id: string }>(
  parts: readonly Part[],
  id: string,
  kind: string,
): Part {
  const part = parts.find((part) => part.id === id);
  return part ?? refuse(UNKNOWN_NODE, about(NO_PART_DRAWN, { what: kind, name: id }));
}
