/** Styles of elements next to nodes and wires; see canvas/later.ts. */

import annotations from "./annotations.css?inline";
import previews from "./previews.css?inline";
import wires from "./wires.css?inline";

export const canvasStyles = [annotations, previews, wires].join("\n");
