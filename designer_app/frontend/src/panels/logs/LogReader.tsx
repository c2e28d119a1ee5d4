/** Logs of a run, one for each rank: selected, followed, searched on the server, saved as a file. */

import { Download } from "lucide-react";
import { type ReactElement, useMemo, useState } from "react";

import type { LogName } from "../../api/logs";
import type { LogEntry } from "../../api/types.gen";
import { leadingRankOf } from "../../graph/evidence";
import { pathTitle } from "../../graph/places";
import { Button } from "../../ui/buttons";
import { useEditor, useEditorState } from "../../view/context";
import { formatBytes } from "../../view/format";
import { selectCatalog, selectStep, selectWhole } from "../../store/selectors";
import type { RunView } from "../../store/types";
import { Echoes } from "../../ui/Evidence";
import { LogMatchesList } from "./LogMatchesList";
import { LogText } from "./LogText";
import { saveLog } from "./saveLog";
import { useLogWindow } from "./useLogWindow";
import { t } from "../../graph/translate";

interface Props {
  readonly run: string;
  readonly logs: readonly LogEntry[];
  /** Shown until another one is selected; a new key discards the selection. */
  readonly first: LogEntry;
  /** Node of these logs; empty for those of all. */
  readonly within: string;
  readonly running: boolean;
}

export function LogReader({ run, logs, first, within, running }: Props): ReactElement {
  const [chosen, setChosen] = useState<Pick<LogEntry, "node" | "file"> | null>(null);
  const [line, setLine] = useState<{ readonly offset: number } | null>(null);
  const { node, file } = chosen ?? first;
  const log = useMemo(() => ({ run, node, file }), [run, node, file]);
  const [query, setQuery] = useState("");
  const [follows, setFollows] = useState(true);
  const { shown, earlier, toEnd } = useLogWindow(log, running && follows, line);
  const owner = useOwners(logs);
  const problem = useEditorState(selectStep(node))?.problem;
  const words = logs.length > 1 ? t("Search all logs") : t("Search log");
  return (
    <div className="pd-logs">
      <div className="pd-log-bar">
        <LogChoice
          logs={logs}
          chosen={log}
          onChoose={(entry) => {
            setLine(null);
            setChosen(entry);
          }}
        />
        <input
          className="pd-input"
          type="search"
          aria-label={words}
          data-testid="log-search"
          placeholder={words}
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
          {t("Follow")}
        </label>
        <DownloadButton log={log} size={shown?.size ?? 0} />
      </div>
      {problem && <Echoes problem={problem} />}
      {query.trim() ? (
        <LogMatchesList
          run={run}
          within={within}
          text={query.trim()}
          ownerOf={logs.length > 1 ? owner : null}
          onOpen={(match) => {
            setFollows(false);
            setQuery("");
            setChosen(match);
            setLine({ offset: match.offset });
          }}
        />
      ) : (
        <LogText shown={shown} follows={follows} onEarlier={earlier} onEnd={toEnd} />
      )}
    </div>
  );
}

/**
 * Return the most informative log: of the rank that failed first, of a first rank, else of a
 * launcher; preferably one that is not empty.
 */
export function firstOf(logs: readonly LogEntry[], steps: RunView["steps"]): LogEntry | undefined {
  const leads = (log: LogEntry): boolean =>
    log.rank === (leadingRankOf(steps[log.node]?.problem) ?? 0);
  const written = logs.filter((log) => log.num_bytes > 0);
  return [written, logs].map((some) => some.find(leads) ?? some[0]).find(Boolean);
}

function nameOf({ node, file }: { readonly node: string; readonly file: string }): string {
  return `${node}/${file}`;
}

interface ChoiceProps {
  readonly logs: readonly LogEntry[];
  readonly chosen: LogName;
  readonly onChoose: (log: LogEntry) => void;
}

/** Return the rank of a log; with its node, if there are logs of several. */
function useOwners(logs: readonly LogEntry[]): (log: Pick<LogEntry, "node" | "rank">) => string {
  const whole = useEditorState(selectWhole);
  const catalog = useEditorState(selectCatalog);
  const isOfOne = new Set(logs.map((log) => log.node)).size === 1;
  return ({ node, rank }) =>
    `${isOfOne ? "" : `${pathTitle(whole, catalog, node)}: `}${rank === null ? t("launcher") : t("rank {rank}", { rank })}`;
}

function LogChoice({ logs, chosen, onChoose }: ChoiceProps): ReactElement {
  const owner = useOwners(logs);
  return (
    <select
      className="pd-input"
      aria-label={t("Log")}
      data-testid="log-file"
      value={nameOf(chosen)}
      onChange={(event) => {
        const log = logs.find((log) => nameOf(log) === event.target.value);
        if (log) onChoose(log);
      }}
    >
      {logs.map((log) => (
        <option key={nameOf(log)} value={nameOf(log)} title={log.file}>
          {sentenceOf(owner(log))}
        </option>
      ))}
    </select>
  );
}

const sentenceOf = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

interface DownloadProps {
  readonly log: LogName;
  readonly size: number;
}

function DownloadButton({ log, size }: DownloadProps): ReactElement {
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
      title={t("Download {file} ({size})", { file: log.file, size: formatBytes(size) })}
    >
      <Download size={13} aria-hidden />
      {share === null ? t("Download") : `${Math.round(share * 100)} %`}
    </Button>
  );
}
