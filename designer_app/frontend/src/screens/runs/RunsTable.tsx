/** Table of runs, sortable by every number, optionally in groups. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, type ReactElement, useCallback, useMemo } from "react";

import type { RunColumn } from "../../api/types.gen";
import type { ScreenProps } from "../types";
import { RunRow } from "./RunRow";
import { type TableView, arranged, sortedBy } from "./tableView";
import { type RunItem, isVaried } from "./trials";
import { t } from "../../graph/translate";

interface Props extends Pick<ScreenProps, "send"> {
  readonly runs: readonly RunItem[];
  readonly chosen: readonly string[];
  readonly view: TableView;
  readonly columns: readonly RunColumn[];
  readonly areTrials: boolean;
  /** Keys of the runs' values. */
  readonly keys: readonly string[];
  readonly onView: (view: TableView) => void;
  readonly onChoose: (chosen: readonly string[]) => void;
}

const FIXED_COLUMNS = { runs: 9, trials: 7 };

export function RunsTable(props: Props): ReactElement {
  const { runs, chosen, view, columns, areTrials, keys, onView, onChoose, send } = props;
  const toggle = useCallback(
    (run: string): void =>
      onChoose(chosen.includes(run) ? chosen.filter((other) => other !== run) : [...chosen, run]),
    [chosen, onChoose],
  );
  const width = (areTrials ? FIXED_COLUMNS.trials : FIXED_COLUMNS.runs) + columns.length;
  const groups = useMemo(() => arranged(runs, view, keys), [runs, view, keys]);
  const best = useMemo(() => new Set(groups.flatMap((group) => bestOf(group.runs))), [groups]);
  const all = runs.filter(({ trial }) => trial?.hasRun ?? true).map((run) => run.run_id);
  const isAll = all.length > 0 && all.every((run) => chosen.includes(run));
  const head = (
    sort: string,
    label: string,
    bestIsHigh = true,
    hint = "",
    className?: string,
  ): ReactElement => (
    <SortHead key={sort} {...{ sort, label, bestIsHigh, hint, className, view, onView }} />
  );
  return (
    <div className="pd-runs-frame">
      <table className="pd-runs-table" data-testid="runs-table">
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={t("Select all")}
                checked={isAll}
                onChange={() => onChoose(isAll ? [] : all)}
              />
            </th>
            {head("name", areTrials ? t("Trial") : t("Run"), false)}
            {head("result", t("Result"))}
            {columns.map(({ key, label, module, higher_is_better: higher }) =>
              head(key, label, higher ?? false, module, isVaried(key) ? "pd-runs-roomy" : ""),
            )}
            <th>{t("Status")}</th>
            <th className="pd-runs-wide">{t("Nodes")}</th>
            {head("took", t("Duration"), false, "", "pd-runs-roomy")}
            {!areTrials && <th className="pd-runs-wide">{t("Experiment")}</th>}
            {!areTrials && <th className="pd-runs-roomy">{t("Pipeline")}</th>}
            {head("submitted", t("Started"), true, "", "pd-runs-roomy")}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group.name}>
              {view.group !== "" && (
                <tr className="pd-runs-group">
                  <th colSpan={width} scope="rowgroup">
                    {group.name} <span>{countOf(group.runs.length, areTrials)}</span>
                  </th>
                </tr>
              )}
              {group.runs.map((run) => (
                <RunRow
                  key={run.run_id}
                  run={run}
                  columns={columns}
                  keys={keys}
                  isChosen={chosen.includes(run.run_id)}
                  isBest={best.has(run.run_id)}
                  onToggle={toggle}
                  send={send}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps extends Pick<Props, "view" | "onView"> {
  readonly sort: string;
  readonly label: string;
  readonly bestIsHigh: boolean;
  readonly hint: string;
  readonly className?: string | undefined;
}

function SortHead(props: HeadProps): ReactElement {
  const { sort, label, bestIsHigh, hint, className, view, onView } = props;
  const isOn = view.sort === sort;
  const Arrow = view.descending ? ArrowDown : ArrowUp;
  const order = view.descending ? "descending" : "ascending";
  return (
    <th className={className} aria-sort={isOn ? order : undefined}>
      <button
        type="button"
        data-testid={`sort-${sort}`}
        title={hint || undefined}
        onClick={() => onView(sortedBy(view, sort, bestIsHigh))}
      >
        {label} {isOn && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  );
}

function countOf(count: number, areTrials: boolean): string {
  return areTrials
    ? t("{count:,} {count:trial|trials}", { count })
    : t("{count:,} {count:run|runs}", { count });
}

/** Return the best trial, or the best of several runs of one pipeline with one primary metric. */
function bestOf(runs: readonly RunItem[]): readonly string[] {
  const judged = new Map<string, RunItem[]>();
  const trials = runs.filter(({ trial }) => trial?.isBest).map((run) => run.run_id);
  for (const run of runs) {
    if (run.trial || !run.headline || run.headline.higher_is_better === null) continue;
    const kind = `${run.pipeline_id ?? run.experiment} ${run.headline.metric}`;
    judged.set(kind, [...(judged.get(kind) ?? []), run]);
  }
  const best = [...judged.values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const sign = members[0]?.headline?.higher_is_better ? 1 : -1;
      const value = (run: RunItem): number => sign * (run.headline?.value ?? -Infinity);
      return members.reduce((best, run) => (value(run) > value(best) ? run : best)).run_id;
    });
  return [...trials, ...best];
}
