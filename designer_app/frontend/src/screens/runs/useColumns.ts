/** Available columns, requested once if some are shown, and again when the menu opens. */

import { useEffect, useState } from "react";

import type { Api } from "../../api/client";
import { type HistoryFilter, fetchColumns } from "../../api/history";
import type { RunColumn } from "../../api/types.gen";

type Columns = readonly RunColumn[];

export function useColumns(
  api: Api,
  filter: HistoryFilter,
  areShown: boolean,
): [Columns, (columns: Columns) => void] {
  const [columns, setColumns] = useState<Columns>([]);
  const isNeeded = areShown && columns.length === 0;
  useEffect(() => {
    if (!isNeeded) return undefined;
    let over = false;
    fetchColumns(api, filter).then(
      (loaded) => !over && setColumns(loaded),
      () => undefined, // the list itself reports that the server does not respond
    );
    return () => {
      over = true;
    };
  }, [api, filter, isNeeded]);
  return [columns, setColumns];
}
