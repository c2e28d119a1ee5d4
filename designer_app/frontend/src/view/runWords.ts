/** Short descriptions of a run: for the tab, notices and desktop notifications. */

import { headlineOf } from "../graph/problems";
import { type Estimates, shareDone } from "../graph/runShare";
import { isFinished, secondsOf } from "../graph/runState";
import type { RunView } from "../store/types";
import { formatSeconds } from "./format";
import { t } from "../graph/translate";

/** State of a run for the browser tab. */
export interface TabRun {
  readonly status: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly result: string | undefined;
}

export function tabRunOf({ state, steps, headline }: RunView, estimates: Estimates): TabRun {
  return { status: state.status, share: shareDone(steps, estimates), result: headline?.text };
}

/** "▶ 43 % · Ants and bees", "✓ 98.3 % · Ants and bees": title of the tab. */
export function tabTitle(name: string, run: TabRun | null): string {
  const words = run && tabWords(run);
  return [words, name || t("Pipeline"), words ? "" : "Pipeline Designer"]
    .filter(Boolean)
    .join(" · ");
}

function tabWords(run: TabRun): string {
  if (!isFinished(run)) return `▶ ${Math.floor(100 * run.share)} %`;
  if (run.status === "completed") return `✓ ${run.result ?? t("done")}`;
  return run.status === "failed" ? `✗ ${t("failed")}` : "";
}

/** "Run completed in 31 s: Accuracy 98.3 %"; for a failed run, the error. */
export function endWords({ state, steps, headline }: RunView, { withReason = true } = {}): string {
  const seconds = secondsOf(state);
  const time = seconds === null ? null : formatSeconds(seconds);
  if (state.status === "completed") {
    const words = time === null ? t("Run completed") : t("Run completed in {time}", { time });
    return headline ? `${words}: ${headline.label} ${headline.text}.` : `${words}.`;
  }
  const problem = Object.values(steps).find((step) => step.status === "failed")?.problem;
  const words = time === null ? t("Run failed.") : t("Run failed after {time}.", { time });
  if (problem && !withReason) return words;
  return `${words} ${headlineOf((problem ?? state.problem)?.message ?? "")}`.trim();
}
