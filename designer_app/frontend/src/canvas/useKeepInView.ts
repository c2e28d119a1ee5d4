/** Keeps the selected node visible when the canvas becomes narrower; else the failed one if it was
 * visible; else some node. */

import { type RefObject, useEffect } from "react";

import { USUAL_SIZE } from "../graph/layout/boxes";
import { findNode } from "../graph/lookup";
import type { Editor } from "../store/editor";
import { useEditor } from "../view/context";
import { failedNode } from "./useRunView";

export function useKeepInView(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let width = element.clientWidth;
    let before = width;
    let pressed = false;
    let narrowed = false;
    const settle = (): void => {
      const [selected, ...others] = editor.state.selection.nodes;
      if (!narrowed || pressed || others.length > 0) return;
      const id = selected ?? failedIn(editor, before);
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
      if (!narrowed) before = width;
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

/** Return the failed node if its middle was visible while the canvas had this width. */
function failedIn({ state, canvas }: Editor, width: number): string | undefined {
  const id = failedNode(state);
  const position = id === undefined ? undefined : findNode(state.document, id)?.position;
  if (!canvas || !position) return undefined;
  const { x, zoom } = canvas.view();
  const across = (position.x + USUAL_SIZE.width / 2) * zoom + x;
  return across >= 0 && across <= width ? id : undefined;
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
