/** Matching runs, refreshed while the page is visible: unchanged rows keep their identity. */

import { useEffect, useRef, useState } from "react";

import { ApiError } from "../../api/client";
import type { RunList } from "../../api/types.gen";
import { sameValue } from "../../graph/edits";
import type { RunItem } from "./trials";

const BUSY_MILLISECONDS = 1000;
const QUIET_MILLISECONDS = 4000;
const TYPING_MILLISECONDS = 180;

/** Runs, and the keys of the columns of their values. */
export interface HistoryPage extends RunList {
  readonly runs: readonly RunItem[];
  readonly keys: readonly string[];
}

export interface History {
  readonly page: HistoryPage | null;
  readonly failed: string | null;
  /** Reload now. */
  again(): void;
}

/** Read the rows with `load`, which is the same function until other rows are requested. */
export function useHistory(
  load: (columns: readonly string[]) => Promise<RunList>,
  columns: readonly string[],
): History {
  const [page, setPage] = useState<HistoryPage | null>(null);
  const [asked, setAsked] = useState(0);
  const keys = columns.join("\n");
  const [failed, setFailed] = useState<string | null>(null);
  const first = useRef(true);
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (after: number): void => {
      if (!over) timer = setTimeout(() => void readPage(), after);
    };
    const readPage = async (): Promise<void> => {
      if (document.hidden) return again(QUIET_MILLISECONDS);
      try {
        const shown = keys === "" ? [] : keys.split("\n");
        const page = await load(shown);
        if (over) return;
        setPage((before) => kept(before, { ...page, keys: shown }));
        setFailed(null);
        again(page.runs.some(isUnderWay) ? BUSY_MILLISECONDS : QUIET_MILLISECONDS);
      } catch (error) {
        if (over) return;
        setFailed(error instanceof ApiError ? `${error.message} ${error.cure}` : String(error));
        again(QUIET_MILLISECONDS);
      }
    };
    again(first.current ? 0 : TYPING_MILLISECONDS);
    first.current = false;
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [load, keys, asked]);
  return { page, failed, again: () => setAsked((count) => count + 1) };
}

export function isUnderWay(entry: RunItem): boolean {
  return entry.status === "queued" || entry.status === "running";
}

/** Return the page with the old rows where nothing has changed. */
function kept(before: HistoryPage | null, page: HistoryPage): HistoryPage {
  if (!before) return page;
  const known = new Map(before.runs.map((entry) => [entry.run_id, entry]));
  const runs = page.runs.map((entry) => {
    const old = known.get(entry.run_id);
    return old && sameValue(old, entry) ? old : entry;
  });
  const keys = before.keys.join("\n") === page.keys.join("\n") ? before.keys : page.keys;
  return { ...page, runs, keys };
}
