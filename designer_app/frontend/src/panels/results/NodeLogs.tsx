/** Logs of a node, one for each rank; of a sub-pipeline those of all inner nodes. */

import { type ReactElement, useMemo } from "react";

import type { LogEntry } from "../../api/types.gen";
import { isWithin } from "../../graph/paths";
import { isStepFinished } from "../../graph/runState";
import { useEditorState } from "../../view/context";
import { selectRunId, selectStep, selectSteps } from "../../store/selectors";
import type { RunView } from "../../store/types";
import { firstOf, LogReader } from "../logs/LogReader";
import { useLogs } from "../logs/useLogWindow";
import { t } from "../../graph/translate";

export function NodeLogs({ node }: { readonly node: string }): ReactElement {
  const run = useEditorState(selectRunId);
  const step = useEditorState(selectStep(node));
  const running = step !== undefined && !isStepFinished(step);
  const all = useLogs(run, running);
  const steps = useEditorState(selectSteps);
  const logs = useMemo(() => all.filter((log) => isWithin(log.node, node)), [all, node]);
  const failed = firstFailed(steps, logs);
  const first = firstOf(failed.length > 0 ? failed : logs, steps);
  if (!run || !first) {
    return (
      <p className="pd-dim">
        {run
          ? t("This node has no log yet.")
          : t("Press Run to see the log of every process here.")}
      </p>
    );
  }
  return (
    <LogReader
      key={`${node} ${failed.length > 0}`}
      run={run}
      logs={logs}
      first={first}
      within={node}
      running={running}
    />
  );
}

/** Return the log of the node that failed first; none without a failure. */
function firstFailed(steps: RunView["steps"], logs: readonly LogEntry[]): readonly LogEntry[] {
  const failed = logs
    .flatMap(({ node }) => {
      const step = steps[node];
      return step?.status === "failed" ? [{ node, at: step.finished ?? Infinity }] : [];
    })
    .sort((one, other) => one.at - other.at);
  return logs.filter((log) => log.node === failed[0]?.node);
}
