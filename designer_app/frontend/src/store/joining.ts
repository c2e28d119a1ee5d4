/** Merging of versions saved by somebody else with local edits; loaded on first use. */

import type { Catalog } from "../graph/catalog";
import { changesOf } from "../graph/documentDiff";
import { mergeDocuments } from "../graph/documentMerge";
import type { PipelineDocument } from "../graph/types";
import type { EditorState, HistoryStep } from "./types";
import { t } from "../graph/translate";

interface Versions {
  /** Common base of both versions. */
  readonly base: PipelineDocument;
  readonly theirs: PipelineDocument;
}

type Joined = Pick<EditorState, "whole" | "history">;

/** Merge a saved version with the local one, so that undo reverts only local edits; null on a
 * clash. */
export function join(state: EditorState, { base, theirs }: Versions): Joined | null {
  const { document: whole, clashes } = mergeDocuments(base, state.whole, theirs);
  if (clashes.length > 0) return null;
  return { whole, history: historyWith(state, { base, theirs }) };
}

/** Merge both versions; the local value wins where both changed the same thing. */
export function joinPreferringOurs(state: EditorState, versions: Versions): PipelineDocument {
  return mergeDocuments(versions.base, state.whole, versions.theirs).document;
}

/** Summary of the merged changes, for a notice. */
export function mergedNotice({ base, theirs }: Versions, catalog: Catalog): string {
  const changes = changesOf(base, theirs, catalog);
  const [first, second, ...others] = changes;
  if (first === undefined) return t("Changes of positions and notes by someone else were merged.");
  const shown = [first, second].filter(Boolean).join("; ");
  return others.length > 0
    ? t("Changes by someone else were merged: {changes}, and {count:,} more.", {
        changes: shown,
        count: others.length,
      })
    : t("Changes by someone else were merged: {changes}.", { changes: shown });
}

function historyWith({ history }: EditorState, { base, theirs }: Versions): EditorState["history"] {
  const renewed = (step: HistoryStep): HistoryStep => ({
    ...step,
    document: mergeDocuments(base, step.document, theirs).document,
  });
  return { past: history.past.map(renewed), future: history.future.map(renewed) };
}
