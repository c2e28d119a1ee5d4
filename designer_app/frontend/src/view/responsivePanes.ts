/** Panes that collapse when the editor becomes narrow; panes collapsed by hand stay collapsed. */

import type { Editor } from "../store/editor";
import type { Pane } from "../store/types";

/** Widths in pixels below which the map, then the panes collapse. */
const WIDE = 1240;
export const ROOMY = 900;
/** Width below which the palette is a sheet, as in palette.css. */
export const PHONE = 480;

/** Return the panes that collapse when the width changes. */
export function foldedBy(before: number, after: number): readonly Pane[] {
  const panes: Pane[] = [];
  if (before >= WIDE && after < WIDE) panes.push("minimap");
  if (before >= ROOMY && after < ROOMY) panes.push("palette", "settings");
  return panes;
}

/** Return a function that receives each width, collapses panes for lack of space and reopens
 * them. */
export function paneFolding(editor: Editor): (width: number) => void {
  const folded = new Set<Pane>();
  let before = Infinity;
  return (width) => {
    if (width === 0) return; // not shown
    const isOpen = (pane: Pane): boolean => editor.state.panes[pane];
    for (const pane of foldedBy(before, width).filter(isOpen)) {
      folded.add(pane);
      editor.togglePane(pane, false);
    }
    for (const pane of foldedBy(width, before)) {
      if (folded.delete(pane)) editor.togglePane(pane, true);
    }
    before = width;
  };
}
