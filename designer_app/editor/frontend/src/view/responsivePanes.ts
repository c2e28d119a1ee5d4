/** Which panes fold where the editor becomes narrow: what was folded by hand stays as it is. */

import type { Pane } from "../store/types";

/** Below these widths, in pixels, the map, then the panes fold. */
const WIDE = 1240;
export const ROOMY = 900;

/** The panes that fold when the width goes from one to another. */
export function foldedBy(before: number, after: number): readonly Pane[] {
  const panes: Pane[] = [];
  if (before >= WIDE && after < WIDE) panes.push("minimap");
  if (before >= ROOMY && after < ROOMY) panes.push("palette", "settings");
  return panes;
}
