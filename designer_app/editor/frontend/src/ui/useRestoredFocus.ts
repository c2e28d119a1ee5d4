/** The focus stays in the editor: when what had it goes away, keys would reach nobody. */

import { useEffect } from "react";

import type { Editor } from "../store/editor";

/** Return focus to the canvas after each click and key that leaves nothing focused. */
export function useRestoredFocus(root: HTMLElement, editor: Editor): void {
  useEffect(() => {
    // what had the focus last; a dialog of the page is gone with all in it when it is closed
    let last: EventTarget | undefined;
    let wasHere = false;
    const note = (event: Event): void => {
      const path = event.composedPath();
      last = path[0];
      wasHere = path.includes(root);
    };
    const isOurs = (): boolean =>
      root.clientWidth > 0 && (wasHere || (last instanceof Node && !last.isConnected));
    const look = (): void => {
      setTimeout(() => {
        const focused = document.activeElement;
        if ((focused === null || focused === document.body) && isOurs()) editor.canvas?.focus();
      });
    };
    // a node that leaves the view takes the focus with it: the next key is brought back
    const bringBack = (event: KeyboardEvent): void => {
      if (event.composedPath()[0] !== document.body) return;
      // where nothing has had the focus yet, Tab leads to the page's first control
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
    document.addEventListener("keyup", look);
    root.addEventListener("click", look);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", note);
      document.removeEventListener("keydown", bringBack, true);
      document.removeEventListener("keyup", look);
      root.removeEventListener("click", look);
    };
  }, [root, editor]);
}
