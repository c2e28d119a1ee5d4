/** A click on an output port shows what is in it; a drag from there is a wire as ever. */

import { useEffect } from "react";

import { useEditor, useRoot } from "../../parts/context";
import { look } from "../../store/host";

/** Pixels a hand may slip in a click. */
const SLIP = 4;

export function Looking(): null {
  const editor = useEditor();
  const root = useRoot();
  useEffect(() => {
    let start = { x: 0, y: 0 };
    const press = (event: PointerEvent): void => {
      start = { x: event.clientX, y: event.clientY };
    };
    const click = (event: MouseEvent): void => {
      const target = event.composedPath()[0];
      const port =
        target instanceof Element ? target.closest<HTMLElement>(".pd-port.source") : null;
      const slipped = Math.hypot(event.clientX - start.x, event.clientY - start.y);
      if (!port || slipped > SLIP) return;
      const { nodeid = "", handleid } = port.dataset;
      // React Flow would begin a wire that follows clicks
      if (look(editor.state, nodeid, handleid)) event.stopPropagation();
    };
    root.addEventListener("pointerdown", press, true);
    root.addEventListener("click", click, true);
    return () => {
      root.removeEventListener("pointerdown", press, true);
      root.removeEventListener("click", click, true);
    };
  }, [editor, root]);
  return null;
}
