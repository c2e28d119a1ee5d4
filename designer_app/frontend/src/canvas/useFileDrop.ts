/** Files dropped on the canvas: a pipeline opens, images become a dataset, code a node. */

import { useReactFlow } from "@xyflow/react";
import { type DragEvent, useState } from "react";

import { perform } from "../commands/registry";
import { withProgressNotice } from "../commands/progressNotice";
import { useEditor } from "../view/context";
import { t } from "../graph/translate";

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

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : t("Dropped files could not be read. Try again.");
}
