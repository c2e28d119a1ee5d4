/** The runs that fit, looked up again while the page is seen: rows keep their identity. */

import { useEffect, useRef, useState } from "react";

import { ApiError, type Api } from "../../api/client";
import { type HistoryFilter, searchRuns } from "../../api/history";
import type { RunEntry, RunList } from "../../api/types.gen";
import { sameValue } from "../../graph/edits";

const BUSY_MILLISECONDS = 1000;
const QUIET_MILLISECONDS = 4000;
const TYPING_MILLISECONDS = 180;

export interface History {
  readonly page: RunList | null;
  readonly failed: string | null;
}

export function useHistory(api: Api, filter: HistoryFilter, limit: number): History {
  const [page, setPage] = useState<RunList | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const first = useRef(true);
  useEffect(() => {
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (after: number): void => {
      if (!over) timer = setTimeout(() => void look(), after);
    };
    const look = async (): Promise<void> => {
      if (document.hidden) return again(QUIET_MILLISECONDS);
      try {
        const found = await searchRuns(api, filter, limit);
        if (over) return;
        setPage((before) => kept(before, found));
        setFailed(null);
        again(found.runs.some(isUnderWay) ? BUSY_MILLISECONDS : QUIET_MILLISECONDS);
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
  }, [api, filter, limit]);
  return { page, failed };
}

export function isUnderWay(entry: RunEntry): boolean {
  return entry.status === "queued" || entry.status === "running";
}

/** The page, with the old row wherever nothing about it has changed. */
function kept(before: RunList | null, found: RunList): RunList {
  if (!before) return found;
  const known = new Map(before.runs.map((entry) => [entry.run_id, entry]));
  const runs = found.runs.map((entry) => {
    const old = known.get(entry.run_id);
    return old && sameValue(old, entry) ? old : entry;
  });
  return { ...found, runs };
}
