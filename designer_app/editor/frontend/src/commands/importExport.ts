/** Files in and out, saving, cures. */

import type { Problem } from "../graph/types";
import type { Editor } from "../store/editor";
import { keepDrafts } from "../store/draftRecovery";
import { type Command, always, hasNodes } from "./types";

const DRAWN_MILLISECONDS = 80;

// Files and pictures are seldom wanted: their code is loaded when they are.
export const IMPORT_EXPORT_COMMANDS: readonly Command[] = [
  {
    id: "save",
    label: "Save now",
    doing: "Saving",
    description: "Everything is saved by itself; this only says so.",
    group: "File",
    keys: ["Mod+S"],
    icon: "save",
    enabled: always,
    perform: async (editor) => {
      const saved = await editor.flush();
      if (saved) editor.notify("Everything is saved.", "success");
    },
  },
  {
    id: "export-json",
    label: "Export as JSON",
    description: "Download the pipeline document.",
    group: "File",
    keys: [],
    icon: "file-json",
    enabled: always,
    perform: async (editor) => {
      const { download } = await import("../browser/files");
      const { dumpText } = await import("../graph/parse");
      const { whole: document } = editor.state;
      const content = new Blob([dumpText(document)], { type: "application/json" });
      download(content, `${document.id}.json`);
    },
  },
  {
    id: "export-png",
    label: "Export as PNG",
    doing: "Drawing the picture",
    description: "A picture of the graph; dropped on the canvas it opens the pipeline again.",
    group: "File",
    keys: [],
    icon: "image-down",
    enabled: hasNodes,
    perform: async (editor) => {
      const { whole: document, catalog } = editor.state;
      const { pngBlob } = await import("../browser/pictures");
      const { download } = await import("../browser/files");
      download(await pngBlob(document, catalog, sizes(editor)), `${document.id}.png`);
    },
  },
  {
    id: "export-svg",
    label: "Export as SVG",
    doing: "Drawing the picture",
    description: "A sharp picture of the graph; dropped on the canvas it opens the pipeline again.",
    group: "File",
    keys: [],
    icon: "file-image",
    enabled: hasNodes,
    perform: async (editor) => {
      const { whole: document, catalog } = editor.state;
      const { svgBlob } = await import("../browser/pictures");
      const { download } = await import("../browser/files");
      download(svgBlob(document, catalog, sizes(editor)), `${document.id}.svg`);
    },
  },
  {
    id: "import",
    label: "Import",
    description:
      "Open a pipeline from a JSON file, or a picture or model that carries one, or a replay; a zip becomes a dataset, a .py file a node.",
    group: "File",
    keys: ["Mod+O"],
    icon: "folder-open",
    enabled: always,
    perform: async (editor, args) => {
      const { ACCEPTED, chooseFile } = await import("../browser/files");
      const given = args["file"];
      const file = given instanceof File ? given : await chooseFile(ACCEPTED);
      if (!file) return;
      const { takeIn } = await import("./takeIn");
      await takeIn(editor, file, args);
    },
  },
  {
    id: "pipeline-from-dataset",
    label: "New pipeline from a dataset",
    doing: "Making a pipeline",
    description: "A complete pipeline for the images, of a size that suits this machine.",
    group: "File",
    keys: [],
    icon: "sparkles",
    listed: false,
    enabled: always,
    perform: async (editor, { dataset, version }) => {
      if (typeof dataset !== "string" || typeof version !== "number") return;
      const { pipelineOfDataset } = await import("../api/datasets");
      try {
        editor.showPipeline(await pipelineOfDataset(editor.api, dataset, version));
      } catch (error) {
        editor.notifyError(error);
      }
    },
  },
  {
    id: "build-environment",
    label: "Build the environment that a script needs",
    doing: "Finding versions that fit together",
    description: "Keep what the script says it needs as an environment, build it, and choose it.",
    group: "File",
    keys: [],
    icon: "sparkles",
    listed: false,
    enabled: always,
    perform: async (editor, args) => {
      const { buildFor } = await import("./scriptEnvironment");
      await buildFor(editor, args);
    },
  },
  {
    id: "cure",
    label: "Cure the problem",
    description: "Do what the problem's button says.",
    group: "Edit",
    keys: [],
    icon: "wrench",
    listed: false,
    enabled: (state) => state.problems.length > 0 || state.run !== null,
    perform: async (editor, args) => {
      const { remedyOf } = await import("../graph/remedies");
      const problem = args["problem"] as Problem | undefined;
      const { document, catalog } = editor.state;
      const remedy = problem && remedyOf(problem, document, catalog);
      if (!remedy) return;
      editor.dispatch(remedy.edit, { label: remedy.label, select: "added" });
      const grew = editor.state.document.nodes.length > document.nodes.length;
      // not before what came has been drawn: it has no size yet
      if (grew) setTimeout(() => editor.canvas?.fitView(), DRAWN_MILLISECONDS);
    },
  },
  {
    id: "keep-drafts",
    label: "Keep edits that other tabs left",
    description: "Save what another tab could not save as a pipeline of its own.",
    doing: "Saving the copy",
    group: "File",
    keys: [],
    icon: "save-all",
    enabled: always,
    perform: (editor, args) => keepDrafts(editor, args["key"]),
  },
  {
    id: "resolve-conflict",
    label: "Choose which version to keep",
    description: "Somebody else has saved this pipeline meanwhile.",
    group: "File",
    keys: [],
    icon: "git-compare",
    enabled: (state) => state.conflict !== null,
    perform: (editor) => editor.openDialog({ kind: "conflict" }),
  },
];

function sizes(editor: Editor): ReturnType<NonNullable<Editor["canvas"]>["sizes"]> {
  return editor.canvas?.sizes() ?? new Map();
}
