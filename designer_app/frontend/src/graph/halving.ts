/** Epochs that successive halving trains, as `modules/search/halving.py` pauses trials. */

import type { Catalog } from "./catalog";
import { expanded } from "./expansion";
import { specAt } from "./pipelineParameters";
import { numTrials } from "./sweep";
import type { PipelineDocument } from "./types";
import type { SweepPruning, SweepSettings } from "./types.gen";

type Halving = Pick<SweepPruning, "first_epoch" | "factor">;

/** Return the epochs at which trials pause, and the last epoch. */
export function rungs({ first_epoch, factor }: Halving, epochs: number): number[] {
  const result: number[] = [];
  for (let at = first_epoch; at < epochs; at = Math.max(at * factor, at + 1))
    result.push(Math.floor(at));
  return [...result, epochs];
}

/** Return the epochs of all trials together: of each rung, one of `factor` continues. */
export function trainedEpochs(trials: number, halving: Halving, epochs: number): number {
  let [left, before, sum] = [trials, 0, 0];
  for (const rung of rungs(halving, epochs)) {
    sum += left * (rung - before);
    left = Math.max(1, Math.floor(left / halving.factor));
    before = rung;
  }
  return sum;
}

/** Return the share of all trials' epochs that is trained: below 1 for successive halving. */
export function trainedShare(
  document: PipelineDocument,
  catalog: Catalog,
  sweep: SweepSettings,
): number {
  const { pruning, objective } = sweep;
  if (!objective || pruning?.kind !== "halving") return 1;
  const node = expanded(document).nodes.find(({ id }) => id === objective.node);
  const place = `${objective.node}.epochs`;
  const epochs = node?.parameters["epochs"] ?? specAt(document, catalog, place)?.default;
  const trials = numTrials(sweep);
  if (typeof epochs !== "number" || !(epochs >= 1) || trials === 0) return 1;
  return trainedEpochs(trials, pruning, epochs) / (trials * epochs);
}
