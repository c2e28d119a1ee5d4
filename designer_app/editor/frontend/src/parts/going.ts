/** Going to a node or to what is wrong with it: selected, in view, its field focused. */

import type { Problem } from "../graph/types";
import type { Editor } from "../store/editor";
import type { View } from "./view";

export function goToNode(editor: Editor, node: string): void {
  editor.select({ nodes: [node] });
  editor.canvas?.fitView([node]);
}

export function goToProblem(editor: Editor, view: View, problem: Problem): void {
  if (problem.node === null) return;
  goToNode(editor, problem.node);
  if (!editor.store.getState().panes.settings) editor.togglePane("settings");
  view.setState({ settingsTab: "settings", wantedParameter: problem.parameter });
}
