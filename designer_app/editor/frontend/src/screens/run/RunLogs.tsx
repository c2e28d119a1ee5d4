/** What the processes of a run wrote, one log a rank: followed, searched, kept as a file. */

import { Download } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";

import type { LogEntry } from "../../bridge/api";
import type { LogName } from "../../bridge/runLogs";
import { findNode } from "../../graph/lookup";
import { titleOf } from "../../graph/search";
import { Button } from "../../parts/buttons";
import { useEditor, useEditorState } from "../../parts/context";
import { formatBytes } from "../../parts/format";
import { selectRunId } from "../../store/partSelectors";
import {
  selectCatalog,
  selectDocument,
  selectIsRunning,
  selectOnlyNode,
  selectSteps,
} from "../../store/selectors";
import { saveLog } from "./saveLog";
import { LogMatchesList } from "./LogMatchesList";
import { LogText } from "./LogText";
import { useLogWindow, useLogs } from "./useLogWindow";

export function RunLogs(): ReactElement {
  const run = useEditorState(selectRunId);
  const running = useEditorState(selectIsRunning);
  const logs = useLogs(run, running);
  const [log, choose] = useChosen(run, logs);
  const [query, setQuery] = useState("");
  const [follows, setFollows] = useState(true);
  const { shown, earlier, jump, toEnd } = useLogWindow(log, running && follows);
  if (!log) {
    const words = running ? "No node has written a log yet." : "No node of this run wrote a log.";
    return (
      <p className="pd-empty">
        {words} Logs of nodes that were reused are in the run that made them.
      </p>
    );
  }
  return (
    <div className="pd-run-logs">
      <div className="pd-log-bar">
        <LogChoice logs={logs} chosen={log} onChoose={choose} />
        <input
          className="pd-input"
          type="search"
          aria-label="Search in the whole log"
          data-testid="log-search"
          placeholder="Search in the whole log"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <label className="pd-check">
          <input
            type="checkbox"
            checked={follows}
            onChange={(event) => {
              setFollows(event.target.checked);
              if (event.target.checked) void toEnd();
            }}
          />
          Follow
        </label>
        <DownloadButton log={log} size={shown?.size ?? 0} />
      </div>
      {query.trim() ? (
        <LogMatchesList
          log={log}
          text={query.trim()}
          onOpen={(offset) => {
            setFollows(false);
            setQuery("");
            void jump(offset);
          }}
        />
      ) : (
        <LogText shown={shown} follows={follows} onEarlier={earlier} onEnd={toEnd} />
      )}
    </div>
  );
}

/** The log that was chosen; until one is: the selected node's, a failed one's, the first. */
function useChosen(
  run: string | null,
  logs: readonly LogEntry[],
): readonly [LogName | null, (log: LogEntry) => void] {
  const selected = useEditorState(selectOnlyNode)?.id;
  const steps = useEditorState(selectSteps);
  const [chosen, setChosen] = useState<{ log: LogEntry; selected: string | undefined } | null>(
    null,
  );
  const entry = useMemo(() => {
    if (chosen && chosen.selected === selected) return chosen.log;
    const failed = logs.find((log) => steps[log.node]?.status === "failed")?.node;
    const node = [selected, failed].find((id) => logs.some((log) => log.node === id));
    const mine = node ? logs.filter((log) => log.node === node) : logs;
    return mine.find((log) => log.rank === 0) ?? mine[0];
  }, [chosen, selected, steps, logs]);
  const log = useMemo(
    () => (entry && run ? { run, node: entry.node, file: entry.file } : null),
    [run, entry],
  );
  return [log, (next) => setChosen({ log: next, selected })];
}

interface ChoiceProps {
  readonly logs: readonly LogEntry[];
  readonly chosen: LogName;
  readonly onChoose: (log: LogEntry) => void;
}

function LogChoice({ logs, chosen, onChoose }: ChoiceProps): ReactElement {
  const document = useEditorState(selectDocument);
  const catalog = useEditorState(selectCatalog);
  const nodes = [...new Set(logs.map((log) => log.node))];
  const title = (id: string): string => {
    const node = findNode(document, id);
    return node ? titleOf(node, catalog) : id;
  };
  return (
    <select
      className="pd-input"
      aria-label="Log"
      data-testid="log-file"
      value={`${chosen.node}/${chosen.file}`}
      onChange={(event) => {
        const log = logs.find((each) => `${each.node}/${each.file}` === event.target.value);
        if (log) onChoose(log);
      }}
    >
      {nodes.map((node) => (
        <optgroup key={node} label={title(node)}>
          {logs
            .filter((log) => log.node === node)
            .map((log) => (
              <option key={log.file} value={`${node}/${log.file}`}>
                {title(node)}: {log.rank === null ? "launcher" : `rank ${log.rank}`} ({log.file})
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

function DownloadButton({
  log,
  size,
}: {
  readonly log: LogName;
  readonly size: number;
}): ReactElement {
  const editor = useEditor();
  const [share, setShare] = useState<number | null>(null);
  const save = async (): Promise<void> => {
    setShare(0);
    await saveLog(editor.api, log, setShare).catch((error: unknown) => editor.notifyError(error));
    setShare(null);
  };
  return (
    <Button
      small
      data-testid="log-download"
      disabled={share !== null}
      onClick={() => void save()}
      title={`Keep ${log.file} as a file (${formatBytes(size)})`}
    >
      <Download size={13} aria-hidden />
      {share === null ? "Download" : `${Math.round(share * 100)} %`}
    </Button>
  );
}
