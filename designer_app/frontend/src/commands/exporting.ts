/** Pipeline as a file: its document, a script, or an image that contains it. */

import { download } from "../browser/files";
import { pngBlob, svgBlob } from "../browser/pictures";
import { pythonOfPipeline } from "../export/python";
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

export function exportPython(editor: Editor): void {
  const { whole: document, catalog } = editor.state;
  const code = pythonOfPipeline(document, catalog);
  if (code) download(new Blob([code], { type: "text/x-python" }), `${document.id}.py`);
  else
    editor.notify(t("Some modules are not installed. See Problems, then export again."), "error");
}

function sizes(editor: Editor): ReturnType<NonNullable<Editor["canvas"]>["sizes"]> {
  return editor.canvas?.sizes() ?? new Map();
}
