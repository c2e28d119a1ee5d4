/** Taps while the pane covers the canvas: on a node it opens, on the background it closes. */

import { type RefObject, useEffect } from "react";

import { useEditor, useRoot } from "../view/context";
import { ROOMY } from "../view/responsivePanes";

/** Milliseconds in which a second tap makes it a double tap, which opens a sub-pipeline: a pane that
 * opened before would be under the second tap. */
const DOUBLE_TAP = 250;

export function useTap(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const root = useRoot();
  useEffect(() => {
    const element = frame.current;
    let opening: ReturnType<typeof setTimeout> | undefined;
    // a drag ends without a click, and a click with a modifier extends the selection
    const tap = (event: MouseEvent): void => {
      const { target, shiftKey, ctrlKey, metaKey } = event;
      clearTimeout(opening);
      if (!(target instanceof Element) || shiftKey || ctrlKey || metaKey) return;
      if (root.clientWidth >= ROOMY || target.closest(".pd-port, button, input")) return;
      if (target.closest(".react-flow__node-module")) {
        if (event.detail > 1) return;
        opening = setTimeout(() => editor.togglePane("settings", true), DOUBLE_TAP);
      } else if (target.matches(".react-flow__pane")) editor.togglePane("settings", false);
    };
    element?.addEventListener("click", tap);
    return () => {
      clearTimeout(opening);
      element?.removeEventListener("click", tap);
    };
  }, [editor, frame, root]);
}
