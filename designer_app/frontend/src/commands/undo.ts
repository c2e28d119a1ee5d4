/** Undo and redo. */

import type { Command } from "./types";
import { t } from "../graph/translate";

export const UNDO_COMMANDS: readonly Command[] = [
  {
    id: "undo",
    label: t("Undo"),
    group: "Edit",
    keys: ["Mod+Z"],
    icon: "undo-2",
    enabled: (state) => state.history.past.length > 0,
    perform: (editor) => editor.undo(),
  },
  {
    id: "redo",
    label: t("Redo"),
    group: "Edit",
    keys: ["Mod+Shift+Z", "Mod+Y"],
    icon: "redo-2",
    enabled: (state) => state.history.future.length > 0,
    perform: (editor) => editor.redo(),
  },
];
