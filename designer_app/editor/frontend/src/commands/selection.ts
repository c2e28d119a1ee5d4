/** Text and removal of the selection. */

import { removeNotes, ungroup } from "../graph/annotations";
import { disconnect } from "../graph/edits";
import { endOf } from "../graph/lookup";
import { removeNodes } from "../graph/removal";
import type { PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Selection } from "../store/types";
import { inWords } from "./types";

/** Return the document without the selection; nodes of a selected group stay. */
export function without(start: PipelineDocument, selection: Selection): PipelineDocument {
  const unlinked = selection.links.reduce((changed, key) => disconnect(changed, endOf(key)), start);
  const bare = removeNodes(unlinked, selection.nodes);
  return ungroup(removeNotes(bare, selection.notes), selection.groups);
}

/** "DenseNet", "3 nodes", "2 wires": for labels of steps. */
export function selectionInWords(editor: Editor, selection: Selection): string {
  const { nodes, links, notes, groups } = selection;
  if (nodes.length) return inWords(editor, nodes);
  if (links.length) return links.length === 1 ? "wire" : `${links.length} wires`;
  if (notes.length) return notes.length === 1 ? "note" : `${notes.length} notes`;
  return groups.length === 1 ? "group" : `${groups.length} groups`;
}
