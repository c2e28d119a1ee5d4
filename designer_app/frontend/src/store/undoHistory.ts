/** Undo history: whole documents that share their unchanged parts. One user action is one step. */

import { addedNodes } from "../graph/edits";
import { nodesById } from "../graph/lookup";
import type { PipelineDocument } from "../graph/types";
import type { EditorState, History, HistoryStep, Selection } from "./types";

const MAX_STEPS = 200;

export const NOTHING: Selection = { nodes: [], links: [], notes: [], groups: [] };
export const NO_HISTORY: History = { past: [], future: [] };

/** Parts of the state that an edit changes. */
export type Changed = Pick<EditorState, keyof Shown | "selection" | "history">;
/** A document and its shown part. */
export type Shown = Pick<EditorState, "document" | "whole" | "place" | "shownOf">;
/** Function that returns the part of a document shown at a place. */
type Look = (whole: PipelineDocument, place: string) => Shown;

/** Return the state after an action; an action with the same key as the last one extends its
 * step. */
export function record(state: Changed, shown: Shown, label: string, joins: boolean): Changed {
  const { past } = state.history;
  const steps = joins ? past : [...past.slice(-(MAX_STEPS - 1)), stepOf(state, label)];
  return {
    ...shown,
    selection: stillThere(state.selection, shown.document),
    history: { past: steps, future: [] },
  };
}

/** Return the state before the last action; unchanged if there is none. */
export function undo(state: Changed, look: Look): Changed {
  const { past, future } = state.history;
  const step = past[past.length - 1];
  if (!step) return state;
  return {
    ...shownAgain(step, look),
    history: { past: past.slice(0, -1), future: [...future, takenBack(state, step)] },
  };
}

/** Return the state after the last undone action. */
export function redo(state: Changed, look: Look): Changed {
  const { past, future } = state.history;
  const step = future[future.length - 1];
  if (!step) return state;
  return {
    ...shownAgain(step, look),
    history: { past: [...past, takenBack(state, step)], future: future.slice(0, -1) },
  };
}

function shownAgain(step: HistoryStep, look: Look): Omit<Changed, "history"> {
  const shown = look(step.document, step.place);
  return { ...shown, selection: stillThere(step.selection, shown.document) };
}

/** Return the present state as a step for redo; its place is that of the undone action. */
function takenBack(state: Changed, { label, place }: HistoryStep): HistoryStep {
  return { ...stepOf(state, label), place };
}

function stepOf({ whole, place, selection }: Changed, label: string): HistoryStep {
  return { label, document: whole, place, selection };
}

/** Selection reduced to existing elements. */
export function stillThere(selection: Selection, document: PipelineDocument): Selection {
  const nodes = nodesById(document);
  const links = new Set(document.links.map((link) => `${link.to.node}.${link.to.port}`));
  const notes = new Set(document.notes.map((note) => note.id));
  const groups = new Set(document.groups.map((group) => group.id));
  return same(selection, {
    nodes: selection.nodes.filter((id) => nodes.has(id)),
    links: selection.links.filter((key) => links.has(key)),
    notes: selection.notes.filter((id) => notes.has(id)),
    groups: selection.groups.filter((id) => groups.has(id)),
  });
}

/** Select the nodes and notes that an action added; keep the selection if it added none. */
function addedSelection(
  before: PipelineDocument,
  after: PipelineDocument,
  selection: Selection,
): Selection {
  const nodes = addedNodes(before, after);
  const known = new Set(before.notes.map((note) => note.id));
  const notes = after.notes.map((note) => note.id).filter((id) => !known.has(id));
  return nodes.length + notes.length ? { ...NOTHING, nodes, notes } : selection;
}

/** Selection after an action. */
export function selectionAfter(
  before: PipelineDocument,
  changed: Pick<EditorState, "document" | "selection">,
  select: Partial<Selection> | "added" | undefined,
): Selection {
  if (select === undefined) return changed.selection;
  if (select === "added") {
    return addedSelection(before, changed.document, changed.selection);
  }
  return stillThere({ ...NOTHING, ...select }, changed.document);
}

/** Return the first selection if both are equal, so that nothing renders again. */
export function same(one: Selection, other: Selection): Selection {
  const keys = ["nodes", "links", "notes", "groups"] as const;
  const equal = keys.every(
    (key) =>
      one[key].length === other[key].length &&
      one[key].every((item, place) => item === other[key][place]),
  );
  return equal ? one : other;
}
