/** Escape returns the focus from a pane to the canvas, and deselects nothing. */

import { type RefObject, useEffect, useRef } from "react";

import { isComposing } from "../browser/composing";
import { useEditor } from "../view/context";

export function useReturnFocus(): RefObject<HTMLElement | null> {
  const editor = useEditor();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const pane = ref.current;
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || isComposing(event)) return;
      event.stopPropagation();
      editor.canvas?.focus();
    };
    pane?.addEventListener("keydown", leave);
    return () => pane?.removeEventListener("keydown", leave);
  }, [editor]);
  return ref;
}
