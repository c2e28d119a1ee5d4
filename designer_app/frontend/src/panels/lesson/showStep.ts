/** Place of a lesson step: the node selected and in view, its field focused, or a button. */

import type { ShowMe } from "../../api/types.gen";
import { findNode } from "../../graph/lookup";
import type { Editor } from "../../store/editor";
import type { View } from "../../view/viewStore";

const READABLE = 0.7;

export function showStep(editor: Editor, view: View, root: HTMLElement, show: ShowMe): void {
  const { node, button } = show;
  if (node != null && findNode(editor.state.document, node)) {
    editor.select({ nodes: [node] });
    editor.togglePane("settings", true);
    editor.canvas?.reveal(node, READABLE);
    view.setState({
      settingsTab: show.tab ?? "settings",
      wantedParameter: show.parameter ?? null,
    });
  }
  if (button != null) point(root.querySelector<HTMLElement>(`[data-testid="${button}"]`));
}

/** Focus an element and highlight it briefly. */
function point(element: HTMLElement | null): void {
  if (!element) return;
  element.focus();
  element.classList.add("pd-pointed");
  element.addEventListener("animationend", () => element.classList.remove("pd-pointed"), {
    once: true,
  });
}
