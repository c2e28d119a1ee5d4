/** Import, export, save, fixes. */

import type * as exports from "./exporting";
import type * as takeIn from "./takeIn";
import { type Command, hasNodes } from "./types";
import { t } from "../graph/translate";

const takingIn = (): Promise<typeof takeIn> => import("./takeIn");
const exporting = (): Promise<typeof exports> => import("./exporting");

// Code for files and images is loaded on first use.
export const IMPORT_EXPORT_COMMANDS: readonly Command[] = [
  {
    id: "save",
    label: t("Save now"),
    doing: t("Saving"),
    group: "File",
    keys: ["Mod+S"],
    icon: "save",
    perform: async (editor) => {
      const saved = await editor.flush();
      if (saved) editor.notify(t("All changes are saved."), "success");
    },
  },
  {
    id: "export-json",
    label: t("Export as JSON"),
    group: "File",
    icon: "file-json",
    perform: async (editor) => (await exporting()).exportJson(editor),
  },
  {
    id: "export-python",
    label: t("Export as Python"),
    group: "File",
    icon: "file-code",
    enabled: hasNodes,
    perform: async (editor) => (await exporting()).exportPython(editor),
  },
  {
    id: "copy-python",
    label: t("Copy as Python"),
    group: "File",
    icon: "file-code",
    enabled: hasNodes,
    perform: async (editor) => (await exporting()).copyPython(editor),
  },
  {
    id: "export-png",
    label: t("Export as PNG"),
    doing: t("Rendering the image"),
    group: "File",
    icon: "image-down",
    enabled: hasNodes,
    perform: async (editor) => (await exporting()).exportPng(editor),
  },
  {
    id: "export-svg",
    label: t("Export as SVG"),
    doing: t("Rendering the image"),
    group: "File",
    icon: "file-image",
    enabled: hasNodes,
    perform: async (editor) => (await exporting()).exportSvg(editor),
  },
  {
    id: "import",
    label: t("Import"),
    group: "File",
    keys: ["Mod+O"],
    icon: "folder-open",
    perform: async (editor, args) => (await takingIn()).importFile(editor, args),
  },
  {
    id: "pipeline-from-dataset",
    label: t("New pipeline from a dataset"),
    doing: t("Creating a pipeline"),
    group: "File",
    icon: "sparkles",
    listed: false,
    perform: async (editor, args) => (await takingIn()).openDatasetPipeline(editor, args),
  },
  {
    id: "build-environment",
    label: t("Build environment for script"),
    doing: t("Resolving versions"),
    group: "File",
    icon: "sparkles",
    listed: false,
    perform: async (editor, args) => {
      const { buildFor } = await import("./scriptEnvironment");
      await buildFor(editor, args);
    },
  },
  {
    id: "cure",
    label: t("Fix problem"),
    group: "Edit",
    icon: "wrench",
    listed: false,
    enabled: (state) => state.problems.length > 0 || state.run !== null,
    perform: async (editor, args) => (await import("./applyFix")).applyFix(editor, args),
  },
  {
    id: "keep-drafts",
    label: t("Recover edits of other tabs"),
    doing: t("Saving the copy"),
    group: "File",
    icon: "save-all",
    perform: async (editor, args) => {
      const { keepDrafts } = await import("../store/draftCopies");
      await keepDrafts(editor, args["key"]);
    },
  },
  {
    id: "resolve-conflict",
    label: t("Resolve conflict"),
    group: "File",
    icon: "git-compare",
    enabled: (state) => state.conflict !== null,
    perform: (editor) => editor.openDialog({ kind: "conflict" }),
  },
];
