/** Going to a node or a problem: selected, in view, with its field focused. */

import { changeGroup, groupOf } from "../graph/annotations";
import { placeAround } from "../graph/paths";
import type { Problem } from "../graph/types";
import type { Editor } from "../store/editor";
import type { View } from "../view/viewStore";
import { t } from "../graph/translate";

/** Expand the group and open the sub-pipeline that contain the node, then fit the view to it; "least"
 * moves the view no further than necessary. */
export function goToNode(editor: Editor, node: string, view: "fit" | "least" = "fit"): void {
  if (placeAround(node) !== editor.state.place) {
    const entered = editor.enter(placeAround(node), node);
    void entered.catch((error: unknown) => editor.notifyError(error));
    return;
  }
  const group = groupOf(editor.state.document, node);
  if (group?.collapsed) {
    editor.dispatch((document) => changeGroup(document, group.id, { collapsed: false }), {
      label: t("Expand group"),
    });
  }
  editor.select({ nodes: [node] });
  if (view === "least") editor.canvas?.reveal(node);
  else editor.canvas?.fitView([node]);
}

export function goToProblem(editor: Editor, view: View, problem: Problem): void {
  if (problem.node === null) editor.select({});
  else goToNode(editor, problem.node);
  if (!editor.store.getState().panes.settings) editor.togglePane("settings");
  view.setState({ settingsTab: "settings", wantedParameter: problem.parameter });
}
