/** What the processes of a run wrote, one log a rank of each node. */

import { type ReactElement, useMemo } from "react";

import type { LogEntry } from "../../bridge/logs";
import { firstOf, LogReader } from "../../panels/logs/LogReader";
import { useLogs } from "../../panels/logs/useLogWindow";
import { useEditorState } from "../../parts/context";
import { selectRunId } from "../../store/partSelectors";
import { selectIsRunning, selectOnlyNode, selectSteps } from "../../store/selectors";

export function RunLogs(): ReactElement {
  const run = useEditorState(selectRunId);
  const running = useEditorState(selectIsRunning);
  const logs = useLogs(run, running);
  const first = useTelling(logs);
  if (!run || !first) {
    const words = running ? "No node has written a log yet." : "No node of this run wrote a log.";
    return (
      <p className="pd-empty">
        {words} Logs of nodes that were reused are in the run that made them.
      </p>
    );
  }
  return <LogReader run={run} logs={logs} first={first} running={running} />;
}

/** The selected node's log, else a failed one's, else the first. */
function useTelling(logs: readonly LogEntry[]): LogEntry | undefined {
  const selected = useEditorState(selectOnlyNode)?.id;
  const steps = useEditorState(selectSteps);
  return useMemo(() => {
    const failed = logs.find((log) => steps[log.node]?.status === "failed")?.node;
    const node = [selected, failed].find((id) => logs.some((log) => log.node === id));
    return firstOf(node ? logs.filter((log) => log.node === node) : logs);
  }, [selected, steps, logs]);
}
