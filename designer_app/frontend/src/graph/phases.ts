/** Phases of a step as text: resources it waits for, environments being built, sizes. */

import type { StepState } from "./types";
import { t } from "./translate";

export type Phase = StepState["phases"][number];

export const PHASE_TITLES: Readonly<Record<Phase["phase"], string>> = {
  preparing: t("Preparing"),
  scaling: t("Scaling"),
  running: t("Running"),
  "post-processing": t("Post-processing"),
};

/** Return facts of a phase besides its duration: "tiny@1, cached". */
export function phaseFacts({ facts, finished }: Phase): string {
  const { environment, is_cached: cached, waits_for: wanted, hosts } = facts;
  const said: string[] = [];
  if (typeof environment === "string") said.push(t("environment {environment}", { environment }));
  if (typeof cached === "boolean") said.push(cached ? t("cached") : t("built"));
  else if (typeof environment === "string" && finished === null) said.push(t("building"));
  if (typeof hosts === "string" && hosts) said.push(t("on {hosts}", { hosts }));
  if (typeof wanted === "string" && wanted) said.push(t("waits for {wanted}", { wanted }));
  const cores = coresOfPhase(facts, finished !== null);
  if (cores) said.push(t("on {cores}", { cores }));
  return said.join(", ");
}

/** "1 of 2 cores": cores that a step uses now; "1 to 2 of 2 cores" during all of it; empty if not
 * reported. */
export function coresOf(step: StepState): string {
  const cores = step.phases.map((phase) => coresOfPhase(phase.facts, phase.finished !== null));
  return cores.filter(Boolean).at(-1) ?? "";
}

function coresOfPhase(facts: Phase["facts"], isOver: boolean): string {
  const { cores, least_cores: least, most_cores: most, machine_cores: all } = facts;
  if (typeof cores !== "number" || typeof all !== "number") return "";
  const had =
    isOver && least !== most
      ? t("{least} to {most}", { least: String(least), most: String(most) })
      : String(cores);
  return t("{cores} of {all} {all:core|cores}", { cores: had, all });
}

/** Return the machines of a step, that of the first rank first; empty if not reported. */
export function hostsOf(step: StepState | undefined): readonly string[] {
  const hosts = step?.phases.map(({ facts }) => facts["hosts"]).filter(Boolean);
  const last = hosts?.at(-1);
  return typeof last === "string" ? last.split(", ") : [];
}

/** Other run that computes the output of a waiting step. */
export interface AwaitedRun {
  readonly id: string;
  readonly name: string;
}

/** Return the run whose output a step waits for; undefined if it waits for none. */
export function awaitedRun(step: StepState | undefined): AwaitedRun | undefined {
  const { run_id: id, computed_by: name } = waitOf(step)?.facts ?? {};
  return typeof id === "string" && id && typeof name === "string" ? { id, name } : undefined;
}

/** Return the text for a step that is not running yet; undefined if there is nothing to report. */
export function waitingWords(step: StepState | undefined): string | undefined {
  const phase = waitOf(step);
  if (!phase) return undefined;
  const { waits_for: wanted, ahead } = phase.facts;
  if (typeof wanted === "string" && wanted) {
    const time = new Date(1000 * phase.started).toLocaleTimeString();
    const words = t("Waits since {time} for {wanted}", { wanted, time });
    if (typeof ahead !== "number" || ahead === 0) return words;
    return t("{words}, {ahead:,} {ahead:node|nodes} before it", { words, ahead });
  }
  const facts = phaseFacts(phase);
  return facts ? `${PHASE_TITLES[phase.phase]}: ${facts}` : undefined;
}

/** Return the current phase of a step that is not running yet. */
function waitOf(step: StepState | undefined): Phase | undefined {
  const phase = step?.phases.at(-1);
  return phase && phase.finished === null && phase.phase !== "running" ? phase : undefined;
}
