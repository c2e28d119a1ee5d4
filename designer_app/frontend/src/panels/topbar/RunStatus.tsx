/** State of the shown run and its result: "98.3 % · 31 s". */

import { type ReactElement, useEffect, useState } from "react";

import { isFinished, secondsOf } from "../../graph/runState";
import { formatSeconds } from "../../view/format";
import type { RunView } from "../../store/types";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

export function RunStatus({ run }: { readonly run: RunView | null }): ReactElement {
  const running = run !== null && !isFinished(run.state);
  const now = useSeconds(running);
  const status = run?.state.status ?? "none";
  const text = running ? underWay(run) : status;
  const seconds = run ? secondsOf(run.state, now) : null;
  const took = seconds === null ? "" : formatSeconds(seconds);
  const headline = run?.headline ?? null;
  // a percentage next to "running" would look like progress
  const shown = running ? null : headline;
  // the color shows that it is completed, if there is a result to show
  const isShownByResult = headline !== null && text === "completed";
  const words = [statusWords(text), headline && `${headline.label} ${headline.text}`, took].filter(
    Boolean,
  );
  return (
    <span
      className="pd-status pd-run-status"
      data-testid="run-status"
      data-status={run ? status : "not started"}
      title={run ? t("Run {id}: {names}", { id: run.id, names: words.join(" · ") }) : undefined}
    >
      {run && <span className={isShownByResult ? "pd-sr" : undefined}>{statusWords(text)}</span>}
      {shown && (
        <b data-testid="headline" data-value={shown.value} aria-label={shown.label}>
          {shown.text}
        </b>
      )}
      {took && <span>{took}</span>}
    </span>
  );
}

/** Return "cancelling" until the last step has ended. */
function underWay({ connection, state }: RunView): string {
  if (connection === "reconnecting") return "reconnecting";
  return state.cancel_requested ? "cancelling" : state.status;
}

/** Return seconds since the epoch, updated every second while something runs. */
function useSeconds(running: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
