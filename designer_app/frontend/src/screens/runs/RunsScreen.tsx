/** History of runs: search, filters, a live table, and actions on selected runs. */

import { Download } from "lucide-react";
import { type ReactElement, useCallback, useMemo, useState } from "react";

import { EVERYTHING, type HistoryFilter, searchRuns } from "../../api/history";
import { download } from "../../browser/files";
import { Button } from "../../ui/buttons";
import { formatCount } from "../../view/format";
import type { ScreenProps } from "../types";
import { BulkActions } from "./BulkActions";
import { ColumnMenu } from "./ColumnMenu";
import { csvOf } from "./csv";
import { EmptyHistory } from "./EmptyHistory";
import { Filters } from "./Filters";
import { RunsTable } from "./RunsTable";
import {
  type Table,
  type TableView,
  arranged,
  keepView,
  keptView,
  ordered,
  shownColumns,
} from "./tableView";
import { areSeedsVaried, fetchTrials, isMatch, trialColumns } from "./trials";
import { useChosen } from "./useChosen";
import { useColumns } from "./useColumns";
import { useHistory } from "./useHistory";
import { t } from "../../graph/translate";

const PAGE = 50;
const MOST = 1000;

type Props = Pick<ScreenProps, "api" | "trials" | "send">;

export function RunsScreen({ api, trials, send }: Props): ReactElement {
  const sweep = trials?.sweep;
  const table: Table = trials ? "pd-trials-table" : "pd-runs-table";
  const [filter, setFilter] = useState<HistoryFilter>(EVERYTHING);
  const [wanted, setWanted] = useState(PAGE);
  const [chosen, setChosen] = useChosen(sweep);
  const [view, setView] = useState<TableView>(() => keptView(table));
  const keys = useMemo(() => ordered(view), [view]);
  // the newest runs are loaded first; any other order needs all of them
  const isNewestFirst = view.sort === "submitted" && view.descending && view.group === "";
  const limit = isNewestFirst && !trials ? wanted : MOST;
  // trials are filtered here: their states are not those of their runs, and some have none
  const asked = useMemo(
    () => (sweep === undefined ? filter : { ...EVERYTHING, sweep }),
    [filter, sweep],
  );
  const load = useCallback(
    (columns: readonly string[]) =>
      asked.sweep === undefined
        ? searchRuns(api, asked, limit, columns)
        : fetchTrials(api, asked.sweep, columns),
    [api, asked, limit],
  );
  const { page, failed, again } = useHistory(load, keys);
  const [known, setKnown] = useColumns(api, asked, keys.length > 0);
  const runs = useMemo(
    () =>
      trials && page
        ? page.runs.filter((item) => isMatch(item, filter, trials.numbers))
        : (page?.runs ?? []),
    [page, filter, trials],
  );
  const hasSeeds = areSeedsVaried(page?.runs ?? []);
  const varied = useMemo(() => trials && trialColumns(trials, hasSeeds), [trials, hasSeeds]);
  const columns = useMemo(
    () => [...(varied ?? []), ...shownColumns(view, known)],
    [varied, view, known],
  );
  const changeView = (changed: TableView): void => {
    setView(changed);
    keepView(table, changed);
  };
  const save = (): void => {
    const rows = arranged(runs, view, page?.keys ?? []).flatMap((group) => group.runs);
    const content = new Blob([csvOf(rows, columns, page?.keys ?? [])], { type: "text/csv" });
    download(content, trials ? `${trials.sweep}.csv` : "runs.csv");
  };
  const isFiltered = Object.values(filter).some((value) => value !== "");
  if (!page) return <Waiting failed={failed} />;
  if (page.total === 0 && trials) return <p className="pd-runs-none">{t("No trials yet.")}</p>;
  if (page.total === 0 && !isFiltered) return <EmptyHistory send={send} />;
  return (
    <div className="pd-runs">
      <div className="pd-runs-tools">
        <Filters {...{ filter, page }} areTrials={trials !== null} onChange={setFilter} />
        <ColumnMenu
          {...{ api, view, known, varied }}
          filter={asked}
          onKnown={setKnown}
          onChange={changeView}
        />
        <Button title={t("Download the shown rows as CSV")} onClick={save}>
          <Download size={15} aria-hidden /> {t("CSV")}
        </Button>
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
          <span>{adviceOn(page.total, trials !== null)}</span>
        )}
      </div>
      {runs.length === 0 ? (
        <div className="pd-runs-none">
          <p>{trials ? t("No trials match.") : t("No runs match the filters.")}</p>
          {isFiltered && (
            <Button onClick={() => setFilter(EVERYTHING)}>
              {trials ? t("Clear filters") : t("Show all runs")}
            </Button>
          )}
        </div>
      ) : (
        <RunsTable
          {...{ runs, chosen, view, columns, send }}
          areTrials={trials !== null}
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

function adviceOn(total: number, areTrials: boolean): string {
  return areTrials
    ? t("{total:,} {total:trial|trials}. Select two or more to compare.", { total })
    : t("{total:,} {total:run|runs}. Select two or more to compare.", { total });
}

function Waiting({ failed }: { readonly failed: string | null }): ReactElement {
  return (
    <div className="pd-runs-none" role="status">
      {failed ?? <span className="pd-spinner" aria-label={t("Loading runs")} />}
    </div>
  );
}
