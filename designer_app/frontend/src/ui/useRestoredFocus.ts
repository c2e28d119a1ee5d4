/** Focus that stays in the editor: otherwise a removed element would leave keys without a
 * receiver. */

import { useEffect } from "react";

import type { Editor } from "../store/editor";

/** Return focus to the canvas after each click and key that leaves nothing focused. */
export function useRestoredFocus(root: HTMLElement, editor: Editor): void {
  useEffect(() => {
    // last focused element; a dialog of the page is removed with its contents when it closes
    let last: EventTarget | undefined;
    let wasHere = false;
    const note = (event: Event): void => {
      const path = event.composedPath();
      last = path[0];
      wasHere = path.includes(root);
    };
    const isOurs = (): boolean =>
      root.clientWidth > 0 && (wasHere || (last instanceof Node && !last.isConnected));
    const restoreFocus = (): void => {
      setTimeout(() => {
        const focused = document.activeElement;
        if ((focused === null || focused === document.body) && isOurs()) editor.canvas?.focus();
      });
    };
    // a node that leaves the view loses the focus: it returns with the next key
    const bringBack = (event: KeyboardEvent): void => {
      if (event.composedPath()[0] !== document.body) return;
      // while nothing has had the focus, Tab leads to the page's first control
      const isFirst = !last && root.clientWidth > 0 && event.key !== "Tab";
      if (!isFirst && !isOurs()) return;
      event.stopImmediatePropagation();
      editor.canvas?.focus();
      const focused = (root.getRootNode() as Document | ShadowRoot).activeElement ?? root;
      if (!focused.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
    };
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", note);
    document.addEventListener("keydown", bringBack, true);
    document.addEventListener("keyup", restoreFocus);
    root.addEventListener("click", restoreFocus);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", note);
      document.removeEventListener("keydown", bringBack, true);
      document.removeEventListener("keyup", restoreFocus);
      root.removeEventListener("click", restoreFocus);
    };
  }, [root, editor]);
}
