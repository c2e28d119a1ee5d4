/** Logs of a run's processes, one for each rank of each node. */

import { type ReactElement, useMemo } from "react";

import type { LogEntry } from "../../api/types.gen";
import { isWithin } from "../../graph/paths";
import { firstOf, LogReader } from "../../panels/logs/LogReader";
import { useLogs } from "../../panels/logs/useLogWindow";
import { useEditorState } from "../../view/context";
import { selectIsRunning, selectOnlyNode, selectRunId, selectSteps } from "../../store/selectors";
import { t } from "../../graph/translate";

export function RunLogs(): ReactElement {
  const run = useEditorState(selectRunId);
  const running = useEditorState(selectIsRunning);
  const logs = useLogs(run, running);
  const node = useTellingNode(logs);
  const steps = useEditorState(selectSteps);
  const inNode = node === undefined ? logs : logs.filter((log) => log.node === node);
  const first = firstOf(inNode, steps);
  if (!run || !first) {
    const words = running ? t("No logs yet.") : t("This run has no logs.");
    return (
      <p className="pd-empty">
        {t("{words} Logs of reused nodes are in the run that computed them.", { words })}
      </p>
    );
  }
  return <LogReader key={node} run={run} logs={logs} first={first} within="" running={running} />;
}

/** Return the node whose log is shown first: the selected one, else a failed one; undefined for
 * none. */
function useTellingNode(logs: readonly LogEntry[]): string | undefined {
  const selected = useEditorState(selectOnlyNode)?.id;
  const steps = useEditorState(selectSteps);
  return useMemo(() => {
    const failed = logs.find((log) => steps[log.node]?.status === "failed")?.node;
    const inside = logs.filter((log) => selected !== undefined && isWithin(log.node, selected));
    const failedInside = inside.find((log) => steps[log.node]?.status === "failed");
    const chosen = (failedInside ?? inside[0])?.node;
    return chosen ?? failed;
  }, [selected, steps, logs]);
}
