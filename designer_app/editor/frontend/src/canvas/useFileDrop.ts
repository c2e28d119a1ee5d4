/** Files dropped on the canvas: a pipeline, or a picture that carries one, is opened. */

import { type DragEvent, useState } from "react";

import { perform } from "../commands/all";
import { useEditor } from "../parts/context";

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
        const files = [...event.dataTransfer.files];
        for (const file of files) perform(editor, "import", { file });
      },
    },
  };
}
