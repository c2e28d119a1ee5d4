/** History of runs: search, filters, a live table, and actions on selected runs. */

import { type ReactElement, useMemo, useState } from "react";

import { EVERYTHING, type HistoryFilter } from "../../api/history";
import type { RunColumn } from "../../api/types.gen";
import { Button } from "../../ui/buttons";
import { formatCount } from "../../view/format";
import type { ScreenProps } from "../types";
import { BulkActions } from "./BulkActions";
import { ColumnMenu } from "./ColumnMenu";
import { EmptyHistory } from "./EmptyHistory";
import { Filters } from "./Filters";
import { RunsTable } from "./RunsTable";
import { type TableView, keepView, keptView, ordered } from "./tableView";
import { useColumns } from "./useColumns";
import { useHistory } from "./useHistory";
import { t } from "../../graph/translate";

const PAGE = 50;
const MOST = 1000;

export function RunsScreen({ api, send }: Pick<ScreenProps, "api" | "send">): ReactElement {
  const [filter, setFilter] = useState<HistoryFilter>(EVERYTHING);
  const [wanted, setWanted] = useState(PAGE);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [view, setView] = useState<TableView>(keptView);
  const keys = useMemo(() => ordered(view), [view]);
  // the newest runs are loaded first; any other order needs all of them
  const isNewestFirst = view.sort === "submitted" && view.descending && view.group === "";
  const limit = isNewestFirst ? wanted : MOST;
  const { page, failed, again } = useHistory(api, filter, limit, keys);
  const [columns, setColumns] = useColumns(api, filter, keys.length > 0);
  const changeView = (changed: TableView): void => {
    setView(changed);
    keepView(changed);
  };
  const isFiltered = Object.values(filter).some((value) => value !== "");
  if (!page) return <Waiting failed={failed} />;
  if (page.total === 0 && !isFiltered) return <EmptyHistory send={send} />;
  const known: readonly RunColumn[] = columns;
  return (
    <div className="pd-runs">
      <div className="pd-runs-tools">
        <Filters filter={filter} page={page} onChange={setFilter} />
        <ColumnMenu {...{ api, filter, view, known }} onKnown={setColumns} onChange={changeView} />
      </div>
      <div className="pd-runs-bar" role="status">
        {failed ? (
          <span className="pd-runs-failed">{failed}</span>
        ) : chosen.length > 0 ? (
          <BulkActions
            {...{ api, chosen, runs: page.runs, tags: page.tags }}
            onCompare={() => send("compare", { runs: chosen })}
            onNone={() => setChosen([])}
            onChanged={again}
          />
        ) : (
          <span>
            {t("{total:,} {total:run|runs}. Select two or more to compare.", { total: page.total })}
          </span>
        )}
      </div>
      {page.runs.length === 0 ? (
        <div className="pd-runs-none">
          <p>{t("No runs match the filters.")}</p>
          <Button onClick={() => setFilter(EVERYTHING)}>{t("Show all runs")}</Button>
        </div>
      ) : (
        <RunsTable
          {...{ runs: page.runs, chosen, view, columns: known, send }}
          keys={page.keys}
          onView={changeView}
          onChoose={setChosen}
        />
      )}
      {page.total > page.runs.length && limit < MOST && (
        <p className="pd-runs-more">
          <Button onClick={() => setWanted(Math.min(MOST, wanted + PAGE))}>
            {t("Show {count} more", {
              count: formatCount(Math.min(PAGE, page.total - page.runs.length)),
            })}
          </Button>
        </p>
      )}
    </div>
  );
}

function Waiting({ failed }: { readonly failed: string | null }): ReactElement {
  return (
    <div className="pd-runs-none" role="status">
      {failed ?? <span className="pd-spinner" aria-label={t("Loading runs")} />}
    </div>
  );
}
