/** Open tab of the lower pane: problems and outline are panes of the store, the others are
 * local. */

import type { Editor } from "../store/editor";
import type { DockTab, View } from "./viewStore";

/** Open one tab, or collapse the pane. */
export function showDock(editor: Editor, view: View, tab: DockTab | null): void {
  editor.togglePane("problems", tab === "problems");
  editor.togglePane("outline", tab === "outline");
  view.setState({
    timelineOpen: tab === "timeline",
    forecastOpen: tab === "forecast",
    ...(tab && { dockTab: tab }),
  });
}
