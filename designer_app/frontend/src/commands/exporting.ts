/** Pipeline as a file: its document, a script, or an image that contains it. */

import { writeCode } from "../api/pipelineCode";
import { download } from "../browser/files";
import { pngBlob, svgBlob } from "../browser/pictures";
import { extract, standalone } from "../graph/copies";
import type { PipelineDocument } from "../graph/types";
import type { Editor } from "../store/editor";
import { t } from "../graph/translate";

export function exportJson(editor: Editor): void {
  const { whole: document } = editor.state;
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const content = new Blob([text], { type: "application/json" });
  download(content, `${document.id}.json`);
}

export async function exportPng(editor: Editor): Promise<void> {
  const { whole: document, catalog } = editor.state;
  download(await pngBlob(document, catalog, sizes(editor)), `${document.id}.png`);
}

export async function exportSvg(editor: Editor): Promise<void> {
  const { whole: document, catalog } = editor.state;
  download(await svgBlob(document, catalog, sizes(editor)), `${document.id}.svg`);
}

export async function exportPython(editor: Editor): Promise<void> {
  const { whole: document } = editor.state;
  try {
    const code = await writeCode(editor.api, document);
    download(new Blob([code], { type: "text/x-python" }), `${document.id}.py`);
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Copy the selected nodes, or the whole pipeline, as Python code. */
export async function copyPython(editor: Editor): Promise<void> {
  try {
    await navigator.clipboard.writeText(await writeCode(editor.api, chosenPart(editor)));
    editor.notify(t("Code copied."), "success");
  } catch (error) {
    if (error instanceof DOMException || error instanceof TypeError) {
      editor.notify(t("The browser does not allow copying. Export as Python instead."), "error");
    } else editor.notifyError(error);
  }
}

function chosenPart(editor: Editor): PipelineDocument {
  const { whole, document, selection } = editor.state;
  if (selection.nodes.length === 0) return whole;
  return standalone(extract(document, selection.nodes, selection.notes));
}

function sizes(editor: Editor): ReturnType<NonNullable<Editor["canvas"]>["sizes"]> {
  return editor.canvas?.sizes() ?? new Map();
}
