/** State of the shown run: "42 % · 1 min 10 s left", then a button to its result: "98.3 % · 31 s". */

import { ChevronRight } from "lucide-react";
import { type ReactElement, useEffect, useState } from "react";

import { commandOf, perform, selectEnabled } from "../../commands/registry";
import { shareDone } from "../../graph/runShare";
import type * as TimeLeft from "../../graph/timeLeft";
import { isFinished, secondsOf } from "../../graph/runState";
import { statusWords } from "../../graph/statusWords";
import { t } from "../../graph/translate";
import { selectResultStaleness } from "../../store/selectors";
import type { RunView } from "../../store/types";
import { importWithRetry } from "../../ui/importWithRetry";
import { useEditor, useEditorState, useViewState } from "../../view/context";
import { formatSeconds } from "../../view/format";
import { risingShare } from "../../view/risingShare";
import { selectEstimates, selectTakeTurns } from "../../view/viewStore";

const RESULT = "see-result";

/** Remaining time of runs, loaded when one is first shown. */
let timeLeft: typeof TimeLeft | undefined;

export function RunStatus({ run }: { readonly run: RunView | null }): ReactElement {
  const editor = useEditor();
  const running = run !== null && !isFinished(run.state);
  const hasResult = useEditorState(selectEnabled(RESULT)) && !running;
  const outdated = useEditorState(selectResultStaleness);
  const parts = useParts(run, running);
  const shared = {
    className: "pd-status pd-run-status",
    "data-testid": "run-status",
    "data-status": run?.state.status ?? "not started",
    "data-stale": outdated.length > 0 || parts.hasOutdatedPin || undefined,
    title: run ? tooltip(run, parts, outdated) : undefined,
  };
  const words = (
    <>
      {parts.status && <span className={parts.isTold ? "pd-sr" : undefined}>{parts.status}</span>}
      {parts.headline}
      {parts.share && <b>{parts.share}</b>}
      {outdated.length > 0 || parts.hasOutdatedPin ? (
        <span>{parts.hasOutdatedPin ? t("outdated pin") : t("outdated")}</span>
      ) : (
        parts.time && <span className={parts.share ? "pd-wide-only" : undefined}>{parts.time}</span>
      )}
    </>
  );
  if (!hasResult) return <span {...shared}>{words}</span>;
  return (
    <button type="button" {...shared} onClick={() => void perform(editor, RESULT)}>
      {words}
      <ChevronRight size={13} aria-label={commandOf(RESULT).label} />
    </button>
  );
}

interface Parts {
  readonly status: string;
  /** True if the color shows the status, next to a result. */
  readonly isTold: boolean;
  readonly headline: ReactElement | undefined;
  /** True if the headline depends on a pinned result that may not match its settings. */
  readonly hasOutdatedPin: boolean;
  /** Completed share of a running run. */
  readonly share: string;
  /** Duration, or time left if it is known. */
  readonly time: string;
}

const NO_PARTS: Parts = {
  status: "",
  isTold: false,
  headline: undefined,
  hasOutdatedPin: false,
  share: "",
  time: "",
};

function useParts(run: RunView | null, running: boolean): Parts {
  const now = useSeconds(running);
  const estimates = useViewState(selectEstimates);
  const takeTurns = useViewState(selectTakeTurns);
  const [rising] = useState(risingShare);
  useEffect(() => {
    if (!running || timeLeft) return;
    void importWithRetry(() => import("../../graph/timeLeft")).then((part) => (timeLeft = part));
  }, [running]);
  if (!run) return NO_PARTS;
  const status = running ? underWay(run) : run.state.status;
  const isWorking = status === "running";
  const share = isWorking ? rising(run.id, shareDone(run.steps, estimates)) : 0;
  const left = isWorking
    ? (timeLeft?.secondsLeft(run.steps, estimates, run.document, takeTurns) ?? null)
    : null;
  const seconds = secondsOf(run.state, now);
  const took = seconds === null ? "" : formatSeconds(seconds);
  const { headline } = run;
  return {
    status: isWorking && share > 0 ? "" : statusWords(status),
    isTold: headline !== null && status === "completed",
    // a percentage next to "running" would look like progress
    headline:
      running || !headline ? undefined : (
        <b data-testid="headline" data-value={headline.value} aria-label={headline.label}>
          {headline.text}
        </b>
      ),
    hasOutdatedPin: !running && (headline?.outdated_pins.length ?? 0) > 0,
    share: share > 0 ? `${Math.floor(100 * share)} %` : "",
    time: left === null ? took : t("{time} left", { time: formatSeconds(left) }),
  };
}

/** "Run 20261129-1: completed · Accuracy 98.3 % · 31 s", and why the result is outdated. */
function tooltip(run: RunView, { time }: Parts, outdated: readonly string[]): string {
  const { headline, state } = run;
  const words = [
    statusWords(isFinished(state) ? state.status : underWay(run)),
    headline && `${headline.label} ${headline.text}`,
    time,
  ].filter(Boolean);
  const said = t("Run {id}: {names}", { id: run.id, names: words.join(" · ") });
  if (outdated.length === 0) return said;
  return `${said}\n${t("Changed since: {names}", { names: outdated.join("; ") })}`;
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
