/** One log of a node, read on as it grows. */

import { useEffect, useState } from "react";

import type { LogEntry } from "../../bridge/api";
import { useEditor } from "../../parts/context";

/** More than this of a log is not kept in the page. */
const MOST_CHARACTERS = 400_000;
const POLL_MILLISECONDS = 700;

/** The logs a node has written in a run. */
export function useLogList(
  run: string | null,
  node: string,
  running: boolean,
): readonly LogEntry[] {
  const editor = useEditor();
  const [logs, setLogs] = useState<readonly LogEntry[]>([]);
  useEffect(() => {
    if (!run) return;
    let over = false;
    const look = async (): Promise<void> => {
      const all = await editor.api.logs(run).catch(() => []);
      if (!over) setLogs(all.filter((log) => log.node === node));
    };
    void look();
    const timer = running ? setInterval(() => void look(), 3 * POLL_MILLISECONDS) : undefined;
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [editor, run, node, running]);
  return logs;
}

/** The text of a log; it grows while the node runs. */
export function useLogText(
  run: string | null,
  node: string,
  file: string | null,
  running: boolean,
): string {
  const editor = useEditor();
  const [text, setText] = useState("");
  useEffect(() => {
    if (!run || !file) return;
    let over = false;
    let offset = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const part = await editor.api.log(run, node, file, offset).catch(() => null);
      if (over) return;
      if (part && part.offset > offset) {
        const isFirst = offset === 0;
        offset = part.offset;
        setText((before) => ((isFirst ? "" : before) + part.text).slice(-MOST_CHARACTERS));
      }
      if (running) timer = setTimeout(() => void read(), POLL_MILLISECONDS);
    };
    void read();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [editor, run, node, file, running]);
  return text;
}
