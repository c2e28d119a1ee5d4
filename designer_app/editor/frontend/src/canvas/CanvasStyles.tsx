/** What error cards, notes, groups, previews and portals look like: they never come without it. */

import type { ReactElement } from "react";

import { canvasStyles } from "../styles/canvasStyles";

export function CanvasStyles(): ReactElement {
  return <style>{canvasStyles}</style>;
}
