/** Undo and redo. */

import type { Command } from "./types";

export const UNDO_COMMANDS: readonly Command[] = [
  {
    id: "undo",
    label: "Undo",
    description: "Take back the last change; results of runs stay.",
    group: "Edit",
    keys: ["Mod+Z"],
    icon: "undo-2",
    enabled: (state) => state.history.past.length > 0,
    perform: (editor) => editor.undo(),
  },
  {
    id: "redo",
    label: "Redo",
    description: "Make the change again that was taken back.",
    group: "Edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    icon: "redo-2",
    enabled: (state) => state.history.future.length > 0,
    perform: (editor) => editor.redo(),
  },
];
