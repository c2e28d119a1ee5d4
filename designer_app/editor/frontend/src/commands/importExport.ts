/** Files in and out, saving, cures. */

import { announceDataset } from "../api/datasetEvents";
import { uploadDataset } from "../api/datasets";
import { addNode } from "../graph/edits";
import { dumpText } from "../graph/parse";
import { remedyOf } from "../graph/remedies";
import type { Problem } from "../graph/types";
import type { Editor } from "../store/editor";
import { openReplayOnPage } from "../store/pageHost";
import { keepDrafts } from "../store/draftRecovery";
import { type Args, type Command, always, hasNodes } from "./types";
import { withProgressNotice } from "./progressNotice";

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
      const { document } = editor.state;
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
      const { document, catalog } = editor.state;
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
      const { document, catalog } = editor.state;
      const { svgBlob } = await import("../browser/pictures");
      const { download } = await import("../browser/files");
      download(svgBlob(document, catalog, sizes(editor)), `${document.id}.svg`);
    },
  },
  {
    id: "import",
    label: "Import",
    description:
      "Open a pipeline from a JSON file, or a picture or model that carries one, or a replay; a zip becomes a dataset.",
    group: "File",
    keys: ["Mod+O"],
    icon: "folder-open",
    enabled: always,
    perform: async (editor, args) => {
      const { ACCEPTED, chooseFile } = await import("../browser/files");
      const given = args["file"];
      const file = given instanceof File ? given : await chooseFile(ACCEPTED);
      if (file) await takeIn(editor, file, args);
    },
  },
  {
    id: "cure",
    label: "Cure the problem",
    description: "Do what the problem's button says.",
    group: "Edit",
    keys: [],
    icon: "wrench",
    enabled: (state) => state.problems.length > 0 || state.run !== null,
    perform: (editor, args) => {
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

/** A file dropped on the canvas or chosen: a pipeline opens, an archive becomes a dataset. */
async function takeIn(editor: Editor, file: File, args: Args): Promise<void> {
  const { datasetName, readDropped } = await import("../browser/files");
  const dropped = await withProgressNotice(editor, `Reading ${file.name}`, () => readDropped(file));
  if (dropped.kind === "unknown") {
    const message = `${dropped.name} cannot be opened: ${dropped.reason}. Choose a pipeline's JSON, PNG or SVG, a model's safetensors, or a zip of images.`;
    editor.notify(message, "error");
  } else if (dropped.kind === "pipeline") {
    await withProgressNotice(editor, `Opening ${dropped.name}`, () =>
      editor.openAsNew(dropped.content),
    );
  } else if (dropped.kind === "replay") {
    await playFile(editor, dropped.file);
  } else {
    await addDataset(editor, dropped.file, datasetName(dropped.file.name), args);
  }
}

async function playFile(editor: Editor, file: File): Promise<void> {
  const { addReplay } = await import("../api/replays");
  try {
    const adding = (): Promise<string> => addReplay(editor.api, file);
    openReplayOnPage(await withProgressNotice(editor, `Opening ${file.name}`, adding));
  } catch (error) {
    editor.notifyError(error);
  }
}

async function addDataset(editor: Editor, file: File, name: string, args: Args): Promise<void> {
  try {
    const uploading = (): Promise<string> => uploadDataset(editor.api, file, name);
    const source = await withProgressNotice(editor, `Uploading ${file.name}`, uploading);
    announceDataset();
    const middle = editor.canvas?.pointer() ?? editor.canvas?.centre() ?? { x: 0, y: 0 };
    const [x, y] = [args["x"] ?? middle.x, args["y"] ?? middle.y].map(Number);
    editor.dispatch(
      (document, catalog) => addNode(document, catalog, "import_images", x, y, { source }),
      { label: `Import ${file.name}`, select: "added" },
    );
    editor.notify(`${source.replace(/^dataset:/, "")} is a dataset now.`, "success");
  } catch (error) {
    editor.notifyError(error);
  }
}

function sizes(editor: Editor): ReturnType<NonNullable<Editor["canvas"]>["sizes"]> {
  return editor.canvas?.sizes() ?? new Map();
}
