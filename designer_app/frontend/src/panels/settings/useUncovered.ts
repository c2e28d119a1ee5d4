/** Keep the node visible next to or above the pane that covers the canvas. */

import { type RefObject, useEffect } from "react";

import { NODE_WIDTH } from "../../graph/layout/geometry";
import type { Size } from "../../graph/types";
import { useEditor } from "../../view/context";

export function useUncovered(pane: RefObject<HTMLElement | null>, node: string | undefined): void {
  const editor = useEditor();
  useEffect(() => {
    const { canvas } = editor;
    const shell = pane.current?.parentElement;
    const below = shell?.querySelector(".pd-canvas")?.getBoundingClientRect();
    const above = pane.current?.getBoundingClientRect();
    if (!canvas || !below || !above || node === undefined) return;
    if (above.left >= below.right) return; // next to it
    canvas.reveal(node, 0, covered(above, below, NODE_WIDTH * canvas.view().zoom));
  }, [editor, pane, node]);
}

/** Area that must be free next to the node and below it, in pixels of the screen. */
function covered(above: DOMRect, below: DOMRect, node: number): Size {
  const across = below.right - above.left;
  if (across < below.width) return { width: node + across, height: 0 };
  return { width: 0, height: Math.max(0, below.bottom - above.top) };
}
