/** Styles of the run screens, in addition to those of the editor. */

import { canvasStyles } from "../styles/canvasStyles";
import { lazyStyles } from "../styles/lazyStyles";
import run from "./run/run.css?inline";
import runs from "./runs/runs.css?inline";
import runsTable from "./runs/runsTable.css?inline";

/** Add them once to the root of the frame. */
export function addScreenStyles(frame: HTMLElement): void {
  const parent = frame.parentNode;
  if (!parent || parent.querySelector("style[data-pd-screens]")) return;
  const style = document.createElement("style");
  style.dataset["pdScreens"] = "";
  style.textContent = [canvasStyles, lazyStyles, run, runs, runsTable].join("\n");
  parent.appendChild(style);
}
