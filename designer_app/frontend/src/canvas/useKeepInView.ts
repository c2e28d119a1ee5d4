/** Keeps the selected node, or else the failed one, or some node, visible when the canvas becomes
 * narrower. */

import { type RefObject, useEffect } from "react";

import { USUAL_SIZE } from "../graph/layout/boxes";
import type { Editor } from "../store/editor";
import { useEditor } from "../view/context";
import { failedNode } from "./useRunView";

export function useKeepInView(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let width = element.clientWidth;
    let pressed = false;
    let narrowed = false;
    const settle = (): void => {
      const [selected, ...others] = editor.state.selection.nodes;
      if (!narrowed || pressed || others.length > 0) return;
      const id = selected ?? failedNode(editor.state);
      if (id === undefined) return showSome(editor);
      narrowed = false;
      editor.canvas?.reveal(id);
    };
    const press = (event: PointerEvent): void => {
      pressed = event.buttons !== 0;
      settle(); // not while a node is dragged
    };
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0) return; // another page is shown: nothing covers the canvas
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

/** Show the nearest node if the middle of none is visible. */
function showSome({ state, canvas }: Editor): void {
  if (!canvas) return;
  const [{ x, y, zoom }, room] = [canvas.view(), canvas.room()];
  const outside = state.document.nodes.map(({ id, position }) => {
    const across = (position.x + USUAL_SIZE.width / 2) * zoom + x;
    const down = (position.y + USUAL_SIZE.height / 2) * zoom + y;
    return { id, by: Math.max(-across, across - room.width, -down, down - room.height) };
  });
  const [nearest] = outside.sort((one, other) => one.by - other.by);
  if (nearest && nearest.by > 0) canvas.reveal(nearest.id);
}

const PRESSES = ["pointerdown", "pointerup", "pointercancel"] as const;
