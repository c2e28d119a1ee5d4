/** Styles of error cards, notes, groups, previews and portals, loaded together with them. */

import type { ReactElement } from "react";

import { canvasStyles } from "../styles/canvasStyles";

export function CanvasStyles(): ReactElement {
  return <style>{canvasStyles}</style>;
}
