/** State of the panes as stored by this browser; the settings open when a node is first selected. */

import type { Editor } from "../store/editor";
import { ROOMY } from "./responsivePanes";
import { panePreferences } from "./panePreferences";

/** Apply the stored state of the panes and store its changes; returns a function that stops it. */
export function rememberPanes(root: HTMLElement, editor: Editor): () => void {
  if (panePreferences.getState().paletteFolded) editor.togglePane("palette", false);
  return editor.store.subscribe((now, before) => {
    const isRoomy = root.clientWidth >= ROOMY;
    if (isRoomy && now.panes.palette !== before.panes.palette) {
      panePreferences.setState({ paletteFolded: !now.panes.palette });
    }
    if (isRoomy && now.panes.settings !== before.panes.settings) {
      panePreferences.setState({ settingsClosed: !now.panes.settings });
    }
    const isChoice = now.selection.nodes.length > 0 && before.selection.nodes.length === 0;
    const isWanted = isRoomy && !panePreferences.getState().settingsClosed;
    if (isChoice && isWanted && !now.panes.settings) editor.togglePane("settings", true);
  });
}
