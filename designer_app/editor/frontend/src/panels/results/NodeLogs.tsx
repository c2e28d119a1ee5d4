/** The logs of a node, one a rank. */

import { type ReactElement, useMemo } from "react";

import { isStepFinished } from "../../graph/runState";
import { useEditorState } from "../../view/context";
import { selectRunId, selectStep } from "../../store/selectors";
import { firstOf, LogReader } from "../logs/LogReader";
import { useLogs } from "../logs/useLogWindow";

export function NodeLogs({ node }: { readonly node: string }): ReactElement {
  const run = useEditorState(selectRunId);
  const step = useEditorState(selectStep(node));
  const running = step !== undefined && !isStepFinished(step);
  const all = useLogs(run, running);
  const logs = useMemo(() => all.filter((log) => log.node === node), [all, node]);
  const first = firstOf(logs);
  if (!run || !first) {
    return (
      <p className="pd-dim">
        {run
          ? "This node has written no log yet."
          : "Press Submit: the log of every process appears here."}
      </p>
    );
  }
  return <LogReader key={node} run={run} logs={logs} first={first} running={running} />;
}
