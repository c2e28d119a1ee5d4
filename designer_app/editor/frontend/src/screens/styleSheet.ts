/** The styles of the screens of runs, put beside those of the editor. */

import { canvasStyles } from "../styles/canvasStyles";
import { lazyStyles } from "../styles/lazyStyles";
import run from "./run/run.css?inline";
import runs from "./runs/runs.css?inline";
import runsTable from "./runs/runsTable.css?inline";

/** Puts them into the root that the frame stands in, once. */
export function addScreenStyles(frame: HTMLElement): void {
  const parent = frame.parentNode;
  if (!parent || parent.querySelector("style[data-pd-screens]")) return;
  const style = document.createElement("style");
  style.dataset["pdScreens"] = "";
  style.textContent = [canvasStyles, lazyStyles, run, runs, runsTable].join("\n");
  parent.appendChild(style);
}
