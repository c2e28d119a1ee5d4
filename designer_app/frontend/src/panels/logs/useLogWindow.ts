/** Window on a log: its end at first, earlier lines on demand, new ones as they are written. */

import { useCallback, useEffect, useState } from "react";

import {
  type LogName,
  type LogWindow,
  lastOfLog,
  logAfter,
  logBefore,
  logsOf,
} from "../../api/logs";
import type { LogEntry } from "../../api/types.gen";
import { useEditor } from "../../view/context";

const POLL_MILLISECONDS = 700;
/** Maximum text that the page keeps of a log that is followed for a long time. */
const MOST_CHARACTERS = 600_000;
const NO_LOGS: readonly LogEntry[] = [];

/** Logs of a run, refreshed while it is running. */
export function useLogs(run: string | null, running: boolean): readonly LogEntry[] {
  const { api } = useEditor();
  const [kept, setKept] = useState<{ of: string; logs: readonly LogEntry[] } | null>(null);
  useEffect(() => {
    if (!run) return;
    let over = false;
    const readLog = async (): Promise<void> => {
      const loaded = await logsOf(api, run).catch(() => null);
      if (!over && loaded) setKept({ of: run, logs: loaded });
    };
    void readLog();
    const timer = running ? setInterval(() => void readLog(), 3 * POLL_MILLISECONDS) : undefined;
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [api, run, running]);
  return kept?.of === run ? kept.logs : NO_LOGS; // logs of the previous run do not belong to this one
}

export interface ShownLog {
  readonly shown: LogWindow | null;
  readonly earlier: () => Promise<void>;
  readonly toEnd: () => Promise<void>;
}

/** Start at a given line, else at the end. */
export function useLogWindow(
  log: LogName,
  running: boolean,
  line: { readonly offset: number } | null,
): ShownLog {
  const { api } = useEditor();
  const [kept, setKept] = useState<{ of: string; window: LogWindow } | null>(null);
  const name = `${log.run}/${log.node}/${log.file}`;
  const shown = kept?.of === name ? kept.window : null;
  const setShown = useCallback((window: LogWindow) => setKept({ of: name, window }), [name]);

  const show = useCallback(
    async (read: (name: LogName) => Promise<LogWindow>): Promise<void> => {
      const loaded = await read(log).catch(() => null);
      if (loaded) setShown(loaded);
    },
    [log, setShown],
  );
  const toEnd = useCallback(() => show((name) => lastOfLog(api, name)), [api, show]);
  const jump = useCallback(
    (offset: number) => show((name) => logAfter(api, name, offset)),
    [api, show],
  );
  const earlier = useCallback(async (): Promise<void> => {
    if (!shown || shown.start === 0) return;
    const loaded = await logBefore(api, log, shown.start).catch(() => null);
    if (loaded) setShown({ ...shown, text: loaded.text + shown.text, start: loaded.start });
  }, [api, log, shown, setShown]);

  useEffect(() => {
    const timer = setTimeout(() => void (line ? jump(line.offset) : toEnd()));
    return () => clearTimeout(timer);
  }, [toEnd, jump, line]);
  useEffect(() => {
    if (!running || !shown) return;
    const timer = setTimeout(async () => {
      const more = await logAfter(api, log, shown.end).catch(() => null);
      setShown(more ? joined(shown, more) : { ...shown });
    }, POLL_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [api, running, log, shown, setShown]);
  return { shown, earlier, toEnd };
}

function joined(before: LogWindow, more: LogWindow): LogWindow {
  const text = before.text + more.text;
  if (text.length <= MOST_CHARACTERS) return { ...more, text, start: before.start };
  const kept = text.slice(text.indexOf("\n", text.length - MOST_CHARACTERS) + 1);
  const dropped = new TextEncoder().encode(text.slice(0, text.length - kept.length)).length;
  return { ...more, text: kept, start: before.start + dropped };
}
