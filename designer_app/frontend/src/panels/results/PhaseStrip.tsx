/** Phases of a step, with widths by duration: preparing, waiting, running, storing. */

import type { ReactElement } from "react";

import { PHASE_TITLES, type Phase, phaseFacts } from "../../graph/phases";
import { secondsOf } from "../../graph/runState";
import type { StepState } from "../../graph/types";
import { formatBytes, formatSeconds } from "../../view/format";
import { t } from "../../graph/translate";

/** Phases of a step; nothing if it reported only one. */
export function PhaseStrip({ phases }: Pick<StepState, "phases">): ReactElement | null {
  if (phases.length < 2) return null;
  return (
    <section aria-label={t("Phases")} data-testid="phases">
      <div className="pd-phase-strip" aria-hidden>
        {phases.map((phase) => (
          <i
            key={phase.started}
            data-phase={phase.phase}
            data-running={phase.finished === null || undefined}
            style={{ flexGrow: Math.max(0.02, secondsOf(phase) ?? 1) }}
          />
        ))}
      </div>
      <ul className="pd-phase-list">
        {phases.map((phase) => (
          <PhaseLine key={phase.started} phase={phase} />
        ))}
      </ul>
    </section>
  );
}

function PhaseLine({ phase }: { readonly phase: Phase }): ReactElement {
  const seconds = secondsOf(phase);
  const bytes = phase.facts["num_bytes"];
  const said = [
    phaseFacts(phase),
    typeof bytes === "number" && bytes > 0 ? formatBytes(bytes) : "",
  ].filter(Boolean);
  return (
    <li data-phase={phase.phase}>
      <b>{PHASE_TITLES[phase.phase]}</b>{" "}
      <span>{seconds === null ? t("now") : formatSeconds(seconds)}</span>
      {said.length > 0 && <small>{said.join(", ")}</small>}
    </li>
  );
}
