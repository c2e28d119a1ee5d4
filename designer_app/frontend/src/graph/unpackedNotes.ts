/** Notes and groups of a sub-pipeline that replaces its node. */

import { freshId } from "./edits";
import type { Definition, Group, Note, PipelineDocument, PipelineNode, Position } from "./types";

/** Return the notes of a sub-pipeline, placed among those of the document. */
export function outerNotes(
  document: PipelineDocument,
  { position: { x, y } }: PipelineNode,
  definition: Definition,
): readonly Note[] {
  const taken = [...document.notes];
  for (const note of definition.notes ?? []) {
    taken.push({ ...note, id: freshId(taken, note.id), position: moved(note.position, x, y) });
  }
  return taken.slice(document.notes.length);
}

/** Return the groups of a sub-pipeline, added to those of the document around the same nodes. */
export function outerGroups(
  document: PipelineDocument,
  definition: Definition,
  names: ReadonlyMap<string, string>,
): readonly Group[] {
  const taken = [...document.groups];
  for (const group of definition.groups ?? []) {
    const nodes = group.nodes.flatMap((inner) => names.get(inner) ?? []);
    taken.push({ ...group, id: freshId(taken, group.id), nodes });
  }
  return taken.slice(document.groups.length);
}

/** Return a position moved to the right and down. */
export function moved(position: Position, x: number, y: number): Position {
  return { x: position.x + x, y: position.y + y };
}
