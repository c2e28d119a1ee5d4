/** Taps where the pane covers the canvas: on a node opens the pane, on the background closes it. */

import { type RefObject, useEffect } from "react";

import { useEditor, useRoot } from "../view/context";
import { ROOMY } from "../view/responsivePanes";

export function useTap(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const root = useRoot();
  useEffect(() => {
    const element = frame.current;
    // a drag ends in no click, and a click with a key adds to the selection
    const tap = (event: MouseEvent): void => {
      const { target, shiftKey, ctrlKey, metaKey } = event;
      if (!(target instanceof Element) || shiftKey || ctrlKey || metaKey) return;
      if (root.clientWidth >= ROOMY || target.closest(".pd-port, button, input")) return;
      if (target.closest(".react-flow__node-module")) editor.togglePane("settings", true);
      else if (target.matches(".react-flow__pane")) editor.togglePane("settings", false);
    };
    element?.addEventListener("click", tap);
    return () => element?.removeEventListener("click", tap);
  }, [editor, frame, root]);
}
