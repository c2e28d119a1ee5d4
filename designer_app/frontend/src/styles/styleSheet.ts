/** Styles of the first paint as one text: added to the editor's root, out of reach of the page. */

import flow from "@xyflow/react/dist/base.css?inline";
import base from "./base.css?inline";
import canvas from "./canvas.css?inline";
import node from "./node.css?inline";
import palette from "./palette.css?inline";
import lessonPlace from "./lessonPlace.css?inline";
import shell from "./shell.css?inline";
import tokens from "./tokens.css?inline";

const areas = [flow, tokens, base, shell, lessonPlace, palette, canvas, node];

/** Add the styles to a shadow root or a plain element, once. */
export function addStyles(parent: ParentNode & Node): void {
  if (parent.querySelector("style[data-pd]")) return;
  const style = document.createElement("style");
  style.dataset["pd"] = "";
  style.textContent = areas.join("\n");
  parent.appendChild(style);
}
