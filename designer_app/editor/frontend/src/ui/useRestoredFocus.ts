/** The focus stays in the editor: when what had it goes away, keys would reach nobody. */

import { useEffect } from "react";

import type { Editor } from "../store/editor";

/** After each click and key, nothing being focused any more, the canvas takes the focus. */
export function useRestoredFocus(root: HTMLElement, editor: Editor): void {
  useEffect(() => {
    const look = (): void => {
      setTimeout(() => {
        const focused = document.activeElement;
        if (root.isConnected && (focused === null || focused === document.body)) {
          editor.canvas?.focus();
        }
      });
    };
    // a node that leaves the view takes the focus with it: the next key is brought back
    let wasHere: boolean | undefined; // undefined: nothing has had the focus since the page is shown
    const note = (event: Event): void => {
      wasHere = event.composedPath().includes(root);
    };
    const bringBack = (event: KeyboardEvent): void => {
      if (event.composedPath()[0] !== document.body || root.clientWidth === 0) return;
      if (!(wasHere ?? event.key !== "Tab")) return;
      event.stopImmediatePropagation();
      editor.canvas?.focus();
      const focused = (root.getRootNode() as Document | ShadowRoot).activeElement ?? root;
      if (!focused.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
    };
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", note);
    document.addEventListener("keydown", bringBack, true);
    root.addEventListener("click", look);
    root.addEventListener("keyup", look);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", note);
      document.removeEventListener("keydown", bringBack, true);
      root.removeEventListener("click", look);
      root.removeEventListener("keyup", look);
    };
  }, [root, editor]);
}
