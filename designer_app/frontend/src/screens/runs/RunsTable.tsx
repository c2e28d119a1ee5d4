/** Table of runs, sortable by every number, optionally in groups. */

import { ArrowDown, ArrowUp } from "lucide-react";
import { Fragment, type ReactElement, useCallback, useMemo } from "react";

import type { RunColumn, ListedRun } from "../../api/types.gen";
import type { ScreenProps } from "../types";
import { RunRow } from "./RunRow";
import { type TableView, arranged, ordered, sortedBy } from "./tableView";
import { t } from "../../graph/translate";

interface Props extends Pick<ScreenProps, "send"> {
  readonly runs: readonly ListedRun[];
  readonly chosen: readonly string[];
  readonly view: TableView;
  readonly columns: readonly RunColumn[];
  /** Keys of the runs' values. */
  readonly keys: readonly string[];
  readonly onView: (view: TableView) => void;
  readonly onChoose: (chosen: readonly string[]) => void;
}

const FIXED_COLUMNS = 9;

export function RunsTable(props: Props): ReactElement {
  const { runs, chosen, view, columns, keys, onView, onChoose, send } = props;
  const toggle = useCallback(
    (run: string): void =>
      onChoose(chosen.includes(run) ? chosen.filter((other) => other !== run) : [...chosen, run]),
    [chosen, onChoose],
  );
  const shown = useMemo(() => shownColumns(view, columns), [view, columns]);
  const groups = useMemo(() => arranged(runs, view, keys), [runs, view, keys]);
  const best = useMemo(() => new Set(groups.flatMap((group) => bestOf(group.runs))), [groups]);
  const all = runs.map((run) => run.run_id);
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
            {head("name", t("Run"), false)}
            {head("result", t("Result"))}
            {shown.map(({ key, label, module, higher_is_better: higher }) =>
              head(key, label, higher ?? false, module),
            )}
            <th>{t("Status")}</th>
            <th className="pd-runs-wide">{t("Nodes")}</th>
            {head("took", t("Duration"), false, "", "pd-runs-roomy")}
            <th className="pd-runs-wide">{t("Experiment")}</th>
            <th className="pd-runs-roomy">{t("Pipeline")}</th>
            {head("submitted", t("Started"), true, "", "pd-runs-roomy")}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group.name}>
              {view.group !== "" && (
                <tr className="pd-runs-group">
                  <th colSpan={FIXED_COLUMNS + shown.length} scope="rowgroup">
                    {group.name}{" "}
                    <span>{t("{count:,} {count:run|runs}", { count: group.runs.length })}</span>
                  </th>
                </tr>
              )}
              {group.runs.map((run) => (
                <RunRow
                  key={run.run_id}
                  run={run}
                  columns={shown}
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

/** Return the selected columns that exist, in their order. */
function shownColumns(view: TableView, known: readonly RunColumn[]): readonly RunColumn[] {
  const byKey = new Map(known.map((column) => [column.key, column]));
  return ordered(view).flatMap((key) => byKey.get(key) ?? []);
}

/** Return the best of several runs of one pipeline with the same primary metric. */
function bestOf(runs: readonly ListedRun[]): readonly string[] {
  const judged = new Map<string, ListedRun[]>();
  for (const run of runs) {
    if (!run.headline || run.headline.higher_is_better === null) continue;
    const kind = `${run.pipeline_id ?? run.experiment} ${run.headline.metric}`;
    judged.set(kind, [...(judged.get(kind) ?? []), run]);
  }
  return [...judged.values()]
    .filter((members) => members.length > 1)
    .map((members) => {
      const sign = members[0]?.headline?.higher_is_better ? 1 : -1;
      const value = (run: ListedRun): number => sign * (run.headline?.value ?? -Infinity);
      return members.reduce((best, run) => (value(run) > value(best) ? run : best)).run_id;
    });
}
