/** Keep the node visible next to or above the pane, which is over an edge of the canvas. */

import { type RefObject, useEffect, useRef } from "react";

import type { Size } from "../../graph/types";
import type { Viewport } from "../../store/types";
import { useEditor } from "../../view/context";

/** The view before the pane moved it, and the view that it moved to. */
interface Moved {
  readonly before: Viewport;
  readonly to: Viewport;
}

/** Move the view as little as necessary, and back when the pane closes if nothing else moved it. */
export function useUncovered(pane: RefObject<HTMLElement | null>, node: string | undefined): void {
  const editor = useEditor();
  const moved = useRef<Moved | null>(null);
  useEffect(() => {
    const shell = pane.current?.parentElement;
    const frame = shell?.querySelector(".pd-canvas");
    if (!frame || node === undefined) return;
    const settle = (): void => {
      const { canvas } = editor;
      const above = pane.current?.getBoundingClientRect();
      if (!canvas || !above) return;
      const from = canvas.view();
      const to = canvas.reveal(node, 0, coveredBelow(above, frame.getBoundingClientRect()));
      if (!to) return;
      const isOurs = moved.current !== null && isSame(moved.current.to, from);
      moved.current = { before: isOurs && moved.current ? moved.current.before : from, to };
    };
    if (!frame.matches(":active")) return settle();
    window.addEventListener("pointerup", settle, { once: true }); // not while a node is dragged
    return () => window.removeEventListener("pointerup", settle);
  }, [editor, pane, node]);
  useEffect(
    () => () => {
      const { canvas } = editor;
      if (canvas && moved.current && isSame(moved.current.to, canvas.view())) {
        canvas.show(moved.current.before);
      }
    },
    [editor],
  );
}

/** Area that must be free below the node, in pixels of the screen; next to a pane at the right the
 * canvas knows its room. */
function coveredBelow(pane: DOMRect, canvas: DOMRect): Size {
  const isBeside = pane.left > canvas.left;
  return { width: 0, height: isBeside ? 0 : Math.max(0, canvas.bottom - pane.top) };
}

function isSame(one: Viewport, other: Viewport): boolean {
  return Math.abs(one.x - other.x) < 1 && Math.abs(one.y - other.y) < 1 && one.zoom === other.zoom;
}
