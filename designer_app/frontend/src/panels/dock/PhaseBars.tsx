/** Parts of a step's time besides its work: preparing, waiting for resources, storing outputs. */

import type { ReactElement } from "react";

import { PHASE_TITLES, type Phase, phaseFacts } from "../../graph/phases";
import type { StepState } from "../../graph/types";
import { formatSeconds } from "../../view/format";

interface PhaseBarsProps {
  readonly phases: StepState["phases"];
  /** Start in seconds since the epoch, and the seconds that the whole width represents. */
  readonly start: number;
  readonly seconds: number;
  readonly now: number;
}

export function PhaseBars({ phases, start, seconds, now }: PhaseBarsProps): ReactElement {
  return (
    <>
      {phases
        .filter((phase) => phase.phase !== "running")
        .map((phase) => {
          const from = Math.max(phase.started, start);
          const took = Math.max(0, (phase.finished ?? now) - from);
          return (
            <b
              key={phase.started}
              data-phase={phase.phase}
              title={wordsOf(phase, took)}
              style={{
                left: `${(100 * (from - start)) / seconds}%`,
                width: `${(100 * took) / seconds}%`,
              }}
            />
          );
        })}
    </>
  );
}

/** "Preparing, 1.2 s: environment tiny@1, cached" */
function wordsOf(phase: Phase, seconds: number): string {
  const said = phaseFacts(phase);
  return `${PHASE_TITLES[phase.phase]}, ${formatSeconds(seconds)}${said && `: ${said}`}`;
}
