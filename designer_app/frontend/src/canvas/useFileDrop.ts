/** Files dropped on the canvas: a pipeline opens, images become a dataset, code a node. */

import { useReactFlow } from "@xyflow/react";
import { type DragEvent, useState } from "react";

import { perform } from "../commands/registry";
import { withProgressNotice } from "../commands/progressNotice";
import { findNode } from "../graph/lookup";
import { stepAt } from "../graph/paths";
import { isTryable } from "../graph/tryable";
import type { Editor } from "../store/editor";
import { useEditor, useView } from "../view/context";
import type { View } from "../view/viewStore";
import { t } from "../graph/translate";

/** Images that a model reads; an SVG may carry a pipeline. */
const IMAGE = /^image\/(?!svg)/;

interface FileDrop {
  readonly isOver: boolean;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

export function useFileDrop(): FileDrop {
  const editor = useEditor();
  const view = useView();
  const flow = useReactFlow();
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event) => {
        event.preventDefault();
        setOver(false);
        if (tryOnNode(editor, view, event)) return;
        const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        // a browser releases the dropped files at the end of the event
        const parts = [...event.dataTransfer.items]
          .filter((item) => item.kind === "file")
          .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
        import("../browser/folders")
          .then(({ filesOf }) =>
            withProgressNotice(editor, t("Reading dropped files"), () => filesOf(parts)),
          )
          .then((files) => {
            for (const dropped of files) perform(editor, "import", { ...dropped, ...at });
          })
          .catch((error: unknown) => editor.notify(wordsOf(error), "error"));
      },
    },
  };
}

/** Open the tab Try of the node under a dropped image; false if it has no model to try. */
function tryOnNode(editor: Editor, view: View, event: DragEvent): boolean {
  const [file, ...others] = event.dataTransfer.files;
  if (!file || others.length > 0 || !IMAGE.test(file.type)) return false;
  const place = (event.target as Element).closest<HTMLElement>(".react-flow__node");
  const { document, catalog, run } = editor.state;
  const node = findNode(document, place?.dataset["id"] ?? "");
  if (!node || !isTryable(node, catalog, run ? stepAt(run.steps, node.id) : undefined))
    return false;
  editor.select({ nodes: [node.id] });
  editor.shell?.show("try");
  view.setState({ triedFile: { node: node.id, file } });
  return true;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : t("Dropped files could not be read. Try again.");
}
