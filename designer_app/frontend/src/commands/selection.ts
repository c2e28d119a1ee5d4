/** Text and removal of the selection. */

import { removeNotes, ungroup } from "../graph/annotations";
import { disconnect } from "../graph/edits";
import { endOf } from "../graph/lookup";
import { removeNodes } from "../graph/removal";
import type { PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import type { Selection } from "../store/types";
import { nodesText } from "./types";
import { t } from "../graph/translate";

/** Return the document without the selection; nodes of a selected group stay. */
export function without(start: PipelineDocument, selection: Selection): PipelineDocument {
  const unlinked = selection.links.reduce((changed, key) => disconnect(changed, endOf(key)), start);
  const bare = removeNodes(unlinked, selection.nodes);
  return ungroup(removeNotes(bare, selection.notes), selection.groups);
}

/** "DenseNet", "3 nodes", "2 wires": for labels of steps. */
export function selectionInWords(editor: Editor, selection: Selection): string {
  const { nodes, links, notes, groups } = selection;
  if (nodes.length) return nodesText(editor, nodes);
  if (links.length) {
    return links.length === 1
      ? t("wire")
      : t("{count} {count:wire|wires}", { count: links.length });
  }
  if (notes.length) {
    return notes.length === 1
      ? t("note")
      : t("{count} {count:note|notes}", { count: notes.length });
  }
  return groups.length === 1
    ? t("group")
    : t("{count} {count:group|groups}", { count: groups.length });
}
