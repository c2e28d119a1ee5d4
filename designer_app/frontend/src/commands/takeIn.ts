/** Files dropped on the canvas or chosen: pipelines, replays, archives of images. */

import { announceDataset } from "../api/datasetEvents";
import { pipelineOfDataset, uploadDataset } from "../api/datasets";
import { readCode } from "../api/pipelineCode";
import { addReplay } from "../api/replays";
import type { DatasetCreated } from "../api/types.gen";
import { ACCEPTED, chooseFile, readDropped } from "../browser/files";
import type { SourceFolder } from "../browser/folders";
import { addNode } from "../graph/edits";
import type { Editor } from "../store/editor";
import { openAsNew } from "../store/openAsNew";
import { openReplayOnPage } from "../store/pageHost";
import { withProgressNotice } from "./progressNotice";
import { addSourceFolder, addTypedScript, placeOf } from "./takeInScript";
import type { Args } from "./types";
import { t } from "../graph/translate";

const PIPELINE_IMPORT = /^(from|import)[ \t]+pipeline_designer\b/m;
/** Length in bytes of the part of a script that is searched for imports. */
const MOST_HEAD = 64 * 1024;
/** Largest size in bytes of code that the server reads. */
const MOST_CODE = 5_000_000;

/** Import the file in the arguments, or one that the user chooses. */
export async function importFile(editor: Editor, args: Args): Promise<void> {
  const source = args["file"];
  const file = source instanceof File ? source : await chooseFile(ACCEPTED);
  if (file) await takeIn(editor, file, args);
}

/** Open a complete pipeline for a dataset instead of this one. */
export async function openDatasetPipeline(editor: Editor, args: Args): Promise<void> {
  const { dataset, version } = args;
  if (typeof dataset !== "string" || typeof version !== "number") return;
  try {
    editor.showPipeline(await pipelineOfDataset(editor.api, dataset, version));
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Import a file: a pipeline opens, an archive becomes a dataset. */
async function takeIn(editor: Editor, file: File, args: Args): Promise<void> {
  if (args["code"]) return addSourceFolder(editor, file, args["code"] as SourceFolder, args);
  const dropped = await withProgressNotice(editor, t("Reading {name}", { name: file.name }), () =>
    readDropped(file),
  );
  if (dropped.kind === "unknown") {
    const message = t(
      '"{name}" cannot be opened: {reason}. Choose a pipeline (JSON, PNG, SVG), a model (safetensors, ONNX), a zip of images or a .py file.',
      { name: dropped.name, reason: dropped.reason },
    );
    editor.notify(message, "error");
  } else if (dropped.kind === "pipeline") {
    await withProgressNotice(editor, t("Opening {name}", { name: dropped.name }), () =>
      openAsNew(editor, dropped.content),
    );
  } else if (dropped.kind === "script") {
    if (await isPipelineCode(dropped.file)) await openCode(editor, dropped.file);
    else await addTypedScript(editor, dropped.file, args);
  } else if (dropped.kind === "replay") {
    await playFile(editor, dropped.file);
  } else {
    await addDataset(editor, dropped.file, args);
  }
}

/** Return true for a Python file that imports the package of pipelines, near its start. */
async function isPipelineCode(file: File): Promise<boolean> {
  return PIPELINE_IMPORT.test(await file.slice(0, MOST_HEAD).text());
}

/** Open the pipeline in a Python file; the server reads it and never runs it. */
async function openCode(editor: Editor, file: File): Promise<void> {
  if (file.size > MOST_CODE) {
    const message = t('"{name}" is larger than 5 MB. Save the pipeline as a document (JSON).', {
      name: file.name,
    });
    editor.notify(message, "error");
    return;
  }
  try {
    await withProgressNotice(editor, t("Opening {name}", { name: file.name }), async () =>
      openAsNew(editor, await readCode(editor.api, await file.text())),
    );
  } catch (error) {
    editor.notifyError(error);
  }
}

async function playFile(editor: Editor, file: File): Promise<void> {
  try {
    const adding = (): Promise<string> => addReplay(editor.api, file);
    openReplayOnPage(
      await withProgressNotice(editor, t("Opening {name}", { name: file.name }), adding),
    );
  } catch (error) {
    editor.notifyError(error);
  }
}

async function addDataset(editor: Editor, file: File, args: Args): Promise<void> {
  try {
    const uploading = (): Promise<DatasetCreated> => uploadDataset(editor.api, file);
    const made = await withProgressNotice(
      editor,
      t("Uploading {name}", { name: file.name }),
      uploading,
    );
    const { source, version } = made;
    announceDataset();
    const [x, y] = placeOf(editor, args);
    editor.dispatch(
      (document, catalog) => addNode(document, catalog, "import_images", x, y, { source }),
      { label: t("Import {name}", { name: file.name }), select: "added" },
    );
    editor.notify(
      t("{source} was added as a dataset.", { source: source.replace(/^dataset:/, "") }),
      "success",
      {
        label: t("Create pipeline"),
        command: "pipeline-from-dataset",
        args: { dataset: made.name, version },
      },
    );
  } catch (error) {
    editor.notifyError(error);
  }
}
