/** The selected node stays in sight when a pane beside the canvas opens over it. */

import { type RefObject, useEffect } from "react";

import { useEditor } from "../view/context";

export function useKeepInView(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let width = element.clientWidth;
    let pressed = false;
    let narrowed = false;
    const settle = (): void => {
      const [id, ...others] = editor.state.selection.nodes;
      if (!narrowed || pressed || id === undefined || others.length > 0) return;
      narrowed = false;
      editor.canvas?.reveal(id);
    };
    const press = (event: PointerEvent): void => {
      pressed = event.buttons !== 0;
      settle(); // not while the node is in the hand
    };
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0) return; // another page is shown: nothing came over the canvas
      narrowed ||= element.clientWidth < width;
      width = element.clientWidth;
      settle();
    });
    observer.observe(element);
    for (const kind of PRESSES) window.addEventListener(kind, press, true);
    return () => {
      observer.disconnect();
      for (const kind of PRESSES) window.removeEventListener(kind, press, true);
    };
  }, [editor, frame]);
}

const PRESSES = ["pointerdown", "pointerup", "pointercancel"] as const;
