/** The sweep of a document, for parts of the first bundle: `sweep.ts` is loaded later. */

import type { PipelineDocument } from "./types";
import type { SweepSettings } from "./types.gen";

/** Return the sweep of a document; undefined if it varies nothing. */
export function sweepOf(document: PipelineDocument): SweepSettings | undefined {
  const { sweep } = document.settings;
  return sweep && Object.keys(sweep.parameters).length > 0 ? sweep : undefined;
}
