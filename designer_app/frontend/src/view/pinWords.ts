/** Texts about pinned results. */

import { madeAt } from "../graph/pins";
import { formatDate } from "./format";
import { t } from "../graph/translate";

/** "Pinned to the result of run 20261130-140552-1a2b of 30 Nov 2026, 14:05. ..." */
export function pinWords(run: string): string {
  const when = pinMoment(run);
  const words = when
    ? t("Pinned to the result of run {run} of {when}.", { run, when })
    : t("Pinned to the result of run {run}.", { run });
  return `${words} ${t("Runs use it instead of computing this node.")}`;
}

/** "30 Nov 2026, 14:05": time of a run; empty if its id has none. */
export function pinMoment(run: string): string {
  const made = madeAt(run);
  return made === undefined ? "" : formatDate(made / 1000);
}
