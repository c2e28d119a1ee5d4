/** The focus stays in the editor: when what had it goes away, keys would reach nobody. */

import { useEffect } from "react";

import type { Editor } from "../store/editor";

/** After each click and key, nothing being focused any more, the canvas takes the focus. */
export function useKeptFocus(root: HTMLElement, editor: Editor): void {
  useEffect(() => {
    const look = (): void => {
      setTimeout(() => {
        const focused = document.activeElement;
        if (root.isConnected && (focused === null || focused === document.body)) {
          editor.canvas?.focus();
        }
      });
    };
    root.addEventListener("click", look);
    root.addEventListener("keyup", look);
    return () => {
      root.removeEventListener("click", look);
      root.removeEventListener("keyup", look);
    };
  }, [root, editor]);
}
