/** What each menu offers: ids of commands, and the few things only the view can do. */

import { GROUP_COLOURS } from "../../graph/annotations";
import type { Menu, View } from "../../parts/view";
import type { Editor } from "../../store/editor";

export type MenuItem = string;

interface OwnItem {
  readonly label: string;
  readonly perform: (editor: Editor, view: View) => void;
}

/** What is no command: it changes neither pipeline nor run. */
export const OWN: Readonly<Record<string, OwnItem>> = {
  versions: {
    label: "Versions of this pipeline",
    perform: (_editor, view) => view.setState({ drawer: "revisions" }),
  },
  tour: { label: "Show me around", perform: (_editor, view) => view.setState({ tourStep: 0 }) },
};

export const ITEMS: Readonly<Record<Menu["on"], readonly MenuItem[]>> = {
  canvas: [
    "open-module-search",
    "add-note",
    "paste",
    "-",
    "select-all",
    "tidy-up",
    "fit-view",
    "-",
    "find-node",
    "open-commands",
  ],
  node: [
    "look",
    "run-to-here",
    "rerun-from-here",
    "run-selected",
    "-",
    "rename",
    "duplicate",
    "copy",
    "disable",
    "connect-selected",
    "group",
    "-",
    "select-upstream",
    "select-downstream",
    "tidy-up",
    "-",
    "module-documentation",
    "-",
    "delete",
    "delete-and-heal",
  ],
  link: ["delete"],
  note: ["delete"],
  group: [
    "rename",
    "collapse",
    "ungroup",
    "-",
    ...GROUP_COLOURS.map((colour) => `colour-${colour}`),
  ],
  more: [
    "save",
    "versions",
    "import",
    "export-json",
    "export-png",
    "export-svg",
    "-",
    "tidy-up",
    "add-note",
    "find-node",
    "toggle-minimap",
    "-",
    "resume",
    "hide-run",
    "-",
    "open-commands",
    "show-shortcuts",
    "tour",
  ],
};
