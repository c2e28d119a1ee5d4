/** The logs of a node, one a rank: followed while it runs, and searched. */

import { type ReactElement, useEffect, useRef, useState } from "react";

import type { LogEntry } from "../../bridge/api";
import { isStepFinished } from "../../graph/run";
import { useEditorState } from "../../parts/context";
import { selectRunId } from "../../store/partSelectors";
import { selectStep } from "../../store/selectors";
import { useLogList, useLogText } from "./useLog";

export function NodeLogs({ node }: { readonly node: string }): ReactElement {
  const run = useEditorState(selectRunId);
  const step = useEditorState(selectStep(node));
  const running = step !== undefined && !isStepFinished(step);
  const logs = useLogList(run, node, running);
  const [chosen, setChosen] = useState<string | null>(null);
  const [query, setQuery] = useState("");
  const [follows, setFollows] = useState(true);
  const file = logs.find((log) => log.file === chosen)?.file ?? firstOf(logs);
  const text = useLogText(run, node, file, running);
  if (logs.length === 0) {
    return (
      <p className="pd-dim">
        {run
          ? "This node has written no log yet."
          : "Press Submit: the log of every process appears here."}
      </p>
    );
  }
  return (
    <>
      <div className="pd-log-bar">
        <select
          className="pd-input"
          aria-label="Log"
          data-testid="log-file"
          value={file ?? ""}
          onChange={(event) => setChosen(event.target.value)}
        >
          {logs.map((log) => (
            <option key={log.file} value={log.file}>
              {log.file}
            </option>
          ))}
        </select>
        <input
          className="pd-input"
          aria-label="Search in the log"
          placeholder="Search in the log"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <label className="pd-check">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => setFollows(event.target.checked)}
          />
          Follow
        </label>
      </div>
      <LogText text={text} query={query} follows={follows} />
    </>
  );
}

interface TextProps {
  readonly text: string;
  readonly query: string;
  readonly follows: boolean;
}

function LogText({ text, query, follows }: TextProps): ReactElement {
  const ref = useRef<HTMLPreElement>(null);
  const wanted = query.trim().toLowerCase();
  const lines = text.split("\n");
  const shown = wanted ? lines.filter((line) => line.toLowerCase().includes(wanted)) : lines;
  useEffect(() => {
    if (follows && !wanted) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [text, follows, wanted]);
  return (
    <>
      {wanted && (
        <p className="pd-dim" role="status">
          {shown.length} of {lines.length} lines
        </p>
      )}
      <pre
        className="pd-log pd-scroll"
        ref={ref}
        tabIndex={0}
        aria-label="Text of the log"
        data-testid="log-text"
      >
        {shown.join("\n") || "Nothing was written yet."}
      </pre>
    </>
  );
}

/** The log of the first rank, else of the launcher. */
function firstOf(logs: readonly LogEntry[]): string | null {
  return (logs.find((log) => log.rank === 0) ?? logs[0])?.file ?? null;
}
