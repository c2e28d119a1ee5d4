/** Selectors of single parts of the state, for components that show just these. */

import type { Group, Note, Settings } from "../graph/types";
import type { EditorState, Pane } from "./types";

type Select<Value> = (state: EditorState) => Value;

export const selectSettings = (state: EditorState): Settings => state.document.settings;
export const selectName = (state: EditorState): string => state.document.name;
export const selectIsReadOnly = (state: EditorState): boolean => state.readOnly;
export const selectIsEmpty = (state: EditorState): boolean =>
  state.document.nodes.length === 0 && state.document.notes.length === 0;
export const selectRunId = (state: EditorState): string | null => state.run?.id ?? null;
export const selectOpenElsewhere = (state: EditorState): boolean => state.openElsewhere;

export const selectPane =
  (pane: Pane): Select<boolean> =>
  (state) =>
    state.panes[pane];

export const selectNote =
  (id: string): Select<Note | undefined> =>
  (state) =>
    state.document.notes.find((note) => note.id === id);

export const selectGroup =
  (id: string): Select<Group | undefined> =>
  (state) =>
    state.document.groups.find((group) => group.id === id);

/** True while the title of this node is being written. */
export const selectIsRenaming =
  (id: string): Select<boolean> =>
  ({ dialog }) =>
    dialog?.kind === "rename" && dialog.node === id;

export const selectNumWarnings = (state: EditorState): number =>
  state.problems.reduce((sum, each) => sum + (each.severity === "warning" ? 1 : 0), 0);
