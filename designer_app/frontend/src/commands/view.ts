/** Zoom, panes, search. */

import { findNode } from "../graph/lookup";
import type { Pane } from "../store/types";
import { type Command, hasNodes, nodesFor, oneNode, someNodes } from "./types";
import { t } from "../graph/translate";

const ZOOM_STEP = 1.25;

export const VIEW_COMMANDS: readonly Command[] = [
  {
    id: "fit-view",
    label: t("Fit view"),
    group: "View",
    keys: ["Shift+1", "F"],
    icon: "maximize",
    enabled: hasNodes,
    perform: (editor) => editor.canvas?.fitView(),
  },
  {
    id: "zoom-to-selection",
    label: t("Zoom to selection"),
    group: "View",
    keys: ["Shift+2"],
    icon: "scan-search",
    enabled: someNodes,
    perform: (editor) => editor.canvas?.fitView(editor.state.selection.nodes),
  },
  {
    id: "zoom-in",
    label: t("Zoom in"),
    group: "View",
    keys: ["Mod+=", "Mod++"],
    icon: "zoom-in",
    perform: (editor) => editor.canvas?.zoomBy(ZOOM_STEP),
  },
  {
    id: "zoom-out",
    label: t("Zoom out"),
    group: "View",
    keys: ["Mod+-"],
    icon: "zoom-out",
    perform: (editor) => editor.canvas?.zoomBy(1 / ZOOM_STEP),
  },
  {
    id: "find-node",
    label: t("Find node"),
    group: "View",
    keys: ["Mod+F"],
    icon: "search",
    enabled: hasNodes,
    perform: (editor) => editor.openDialog({ kind: "find" }),
  },
  {
    id: "open-module-search",
    label: t("Add module"),
    group: "Insert",
    keys: ["Tab", "A"],
    icon: "plus",
    perform: (editor) => {
      const at = editor.canvas?.pointer() ?? editor.canvas?.centre() ?? null;
      editor.openDialog({ kind: "module search", at, from: null });
    },
  },
  {
    id: "open-commands",
    label: t("All commands"),
    group: "Help",
    keys: ["Mod+K"],
    icon: "command",
    perform: (editor) => editor.openDialog({ kind: "commands" }),
  },
  {
    id: "module-documentation",
    label: t("Module documentation"),
    group: "View",
    keys: ["F1"],
    icon: "book-open",
    enabled: oneNode,
    perform: (editor, args) => {
      const [id = ""] = nodesFor(editor, args);
      const module = findNode(editor.state.document, id)?.module;
      if (module) editor.openDialog({ kind: "documentation", module });
    },
  },
  {
    id: "show-shortcuts",
    label: t("Keyboard shortcuts"),
    group: "Help",
    keys: ["?"],
    icon: "keyboard",
    perform: (editor) => editor.openDialog({ kind: "shortcuts" }),
  },
  {
    id: "versions",
    label: t("Pipeline versions"),
    group: "File",
    icon: "history",
    perform: (editor) => editor.shell?.show("versions"),
  },
  {
    id: "compare",
    label: t("Compare with..."),
    group: "File",
    icon: "git-compare",
    perform: (editor) => editor.openDialog({ kind: "compare" }),
  },
  {
    id: "notify-at-end",
    label: t("Notify me when a run ends"),
    group: "Run",
    icon: "bell",
    perform: async (editor) => {
      const { notifying, toggleNotifications } = await import("../browser/notifications");
      const on = await toggleNotifications();
      editor.notify(notifying(on), on === "denied" ? "warning" : "information");
    },
  },
  {
    id: "tour",
    label: t("Take the tour"),
    group: "Help",
    icon: "compass",
    perform: (editor) => editor.shell?.show("tour"),
  },
  pane("palette", t("Palette"), "panel-left", ["Mod+B"]),
  pane("settings", t("Settings"), "panel-right", ["Mod+I"]),
  pane("problems", t("Problems"), "panel-bottom", ["Mod+J"]),
  pane("outline", t("Outline"), "list-tree", ["Mod+Shift+O"]),
  {
    id: "toggle-timeline",
    label: t("Toggle timeline"),
    group: "View",
    icon: "chart-gantt",
    perform: (editor) => editor.shell?.show("timeline"),
  },
  pane("minimap", t("Minimap"), "map", ["M"]),
  {
    id: "toggle-previews",
    label: t("Toggle previews on nodes"),
    group: "View",
    keys: ["P"],
    icon: "image",
    perform: (editor) => editor.togglePane("previews"),
  },
];

function pane(id: Pane, label: string, icon: string, keys: readonly string[]): Command {
  return {
    id: `toggle-${id}`,
    label: t("Toggle {label}", { label: label.toLowerCase() }),
    group: "View",
    keys,
    icon,
    perform: (editor) => editor.togglePane(id),
  };
}
