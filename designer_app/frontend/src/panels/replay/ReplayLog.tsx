/** The log of a node up to the current time of the replay. */

import { type ReactElement, useEffect, useRef, useState } from "react";

import { useEditorState } from "../../view/context";
import { logAt, logsOf, shareOf } from "../../store/replayRecording";
import { selectRun } from "../../store/selectors";
import { selectTime, usePlayer, usePlayerState } from "./context";
import { t } from "../../graph/translate";

export function ReplayLog({ node }: { readonly node: string }): ReactElement {
  const { recorded, timeline } = usePlayer();
  const run = useEditorState(selectRun);
  const time = usePlayerState(selectTime);
  const [chosen, setChosen] = useState<string | null>(null);
  const logs = logsOf(recorded, node);
  const log = logs.find((log) => log.file === chosen) ?? logs[0];
  const now = recorded.events[timeline.countAt(time) - 1]?.time ?? 0;
  const text = log ? logAt(log, run?.steps[node], shareOf(recorded, node, run, now)) : "";
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [text]);
  if (!log) return <p className="pd-dim">{t("This node wrote no log.")}</p>;
  return (
    <div className="pd-logs">
      <select
        className="pd-input"
        aria-label={t("Log")}
        value={log.file}
        onChange={(event) => setChosen(event.target.value)}
      >
        {logs.map((log) => (
          <option key={log.file} value={log.file}>
            {log.file}
          </option>
        ))}
      </select>
      {log.num_bytes > log.text.length && (
        <p className="pd-dim">{t("Only the end of the log was recorded.")}</p>
      )}
      <pre className="pd-log pd-scroll" ref={box} tabIndex={0} data-testid="replay-log">
        {text || t("No output yet.")}
      </pre>
    </div>
  );
}
