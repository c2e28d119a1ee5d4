/** What each menu offers: ids of commands. */

import { GROUP_COLOURS } from "../../graph/annotations";
import type { Menu } from "../../view/viewStore";

/** A command, a line between commands, or a row of swatches. */
export type MenuItem = string | readonly string[];

const COLOURS = GROUP_COLOURS.map((colour) => `colour-${colour}`);

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
    "make-sub-pipeline",
    "open-sub-pipeline",
    "unpack-sub-pipeline",
    [...COLOURS, "colour-of-module"],
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
  note: ["duplicate", "copy", "-", "delete"],
  group: ["duplicate", "copy", "-", "rename", "collapse", "ungroup", "-", COLOURS],
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
    "toggle-previews",
    "toggle-timeline",
    "-",
    "forecast",
    "stop-and-keep",
    "resume",
    "see-result",
    "hide-run",
    "notify-at-end",
    "-",
    "open-commands",
    "show-shortcuts",
    "tour",
  ],
};
