/** The history of runs: search, filters, a table that stays alive, and what to do with some. */

import { type ReactElement, useState } from "react";

import { EVERYTHING, type HistoryFilter } from "../../api/history";
import { Button } from "../../ui/buttons";
import { formatCount, plural } from "../../view/format";
import type { ScreenProps } from "../types";
import { EmptyHistory } from "./EmptyHistory";
import { Filters } from "./Filters";
import { RunsTable } from "./RunsTable";
import { useHistory } from "./useHistory";

const PAGE = 50;
const MOST = 500;
const MOST_COMPARED = 8;

export function RunsScreen({ api, send }: Pick<ScreenProps, "api" | "send">): ReactElement {
  const [filter, setFilter] = useState<HistoryFilter>(EVERYTHING);
  const [limit, setLimit] = useState(PAGE);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { page, failed } = useHistory(api, filter, limit);
  const isFiltered = Object.values(filter).some((value) => value !== "");
  if (!page) return <Waiting failed={failed} />;
  if (page.total === 0 && !isFiltered) return <EmptyHistory send={send} />;
  return (
    <div className="pd-runs">
      <Filters filter={filter} page={page} onChange={setFilter} />
      <Bar
        chosen={chosen}
        total={page.total}
        failed={failed}
        onCompare={() => send("compare", { runs: chosen })}
        onNone={() => setChosen([])}
      />
      {page.runs.length === 0 ? (
        <div className="pd-runs-none">
          <p>No run fits.</p>
          <Button onClick={() => setFilter(EVERYTHING)}>Show all runs</Button>
        </div>
      ) : (
        <RunsTable runs={page.runs} chosen={chosen} onChoose={setChosen} send={send} />
      )}
      {page.total > page.runs.length && limit < MOST && (
        <p className="pd-runs-more">
          <Button onClick={() => setLimit(Math.min(MOST, limit + PAGE))}>
            Show {formatCount(Math.min(PAGE, page.total - page.runs.length))} more
          </Button>
        </p>
      )}
    </div>
  );
}

interface BarProps {
  readonly chosen: readonly string[];
  readonly total: number;
  readonly failed: string | null;
  readonly onCompare: () => void;
  readonly onNone: () => void;
}

/** How many there are; once some are chosen: what can be done with them. */
function Bar({ chosen, total, failed, onCompare, onNone }: BarProps): ReactElement {
  const fits = chosen.length >= 2 && chosen.length <= MOST_COMPARED;
  const advice =
    chosen.length < 2 ? "Choose one more to compare." : `Compare at most ${MOST_COMPARED}.`;
  return (
    <div className="pd-runs-bar" role="status">
      {failed ? (
        <span className="pd-runs-failed">{failed}</span>
      ) : chosen.length > 0 ? (
        <>
          <b>{plural(chosen.length, "run")} chosen</b>
          <Button kind="primary" disabled={!fits} data-testid="compare" onClick={onCompare}>
            Compare
          </Button>
          <Button onClick={onNone}>Choose none</Button>
          {!fits && <span>{advice}</span>}
        </>
      ) : (
        <span>{plural(total, "run")}. Choose two or more to compare them.</span>
      )}
    </div>
  );
}

function Waiting({ failed }: { readonly failed: string | null }): ReactElement {
  return (
    <div className="pd-runs-none" role="status">
      {failed ?? <span className="pd-spinner" aria-label="Looking for runs" />}
    </div>
  );
}
