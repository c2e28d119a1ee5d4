/** The sweep of a document: in a file of its own, as the toolbar needs no more of sweeps. */

import type { PipelineDocument } from "./types";
import type { SweepSettings } from "./types.gen";

/** Return the sweep of a document; undefined if it varies nothing. */
export function sweepOf(document: PipelineDocument): SweepSettings | undefined {
  const { sweep } = document.settings;
  return sweep && Object.keys(sweep.parameters).length > 0 ? sweep : undefined;
}
