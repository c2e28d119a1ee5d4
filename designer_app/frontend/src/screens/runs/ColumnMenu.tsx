/** Metrics and parameters shown as columns, their order, and the grouping. */

import { Columns3, Pin } from "lucide-react";
import { type ReactElement, useState } from "react";

import type { Api } from "../../api/client";
import { type HistoryFilter, fetchColumns } from "../../api/history";
import type { RunColumn } from "../../api/types.gen";
import type { TableView } from "./tableView";
import { t } from "../../graph/translate";

interface Props {
  readonly api: Api;
  readonly filter: HistoryFilter;
  readonly view: TableView;
  readonly known: readonly RunColumn[];
  /** Columns of trials, which are always shown; null for runs. */
  readonly varied: readonly RunColumn[] | null;
  readonly onKnown: (columns: readonly RunColumn[]) => void;
  readonly onChange: (view: TableView) => void;
}

const GROUPS: readonly (readonly [string, string])[] = [
  ["", t("No grouping")],
  ["pipeline_name", t("Group by pipeline")],
  ["experiment", t("Group by experiment")],
  ["status", t("Group by status")],
];
const SAME_IN_SWEEP: ReadonlySet<string> = new Set(["pipeline_name", "experiment"]);

export function ColumnMenu(props: Props): ReactElement {
  const { api, filter, view, known, varied, onKnown, onChange } = props;
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const load = (): void => {
    fetchColumns(api, filter).then(
      (columns) => {
        onKnown(columns);
        setState("loaded");
      },
      () => setState("failed"),
    );
  };
  const none = (text: string): string => (state === "loading" ? t("Loading ...") : text);
  const parameters = known.filter(({ kind }) => kind === "parameter");
  const chosen = parameters.filter(({ key }) => view.columns.includes(key));
  const grouping = [...(varied ?? []), ...chosen];
  return (
    <>
      <select
        className="pd-input"
        aria-label={varied ? t("Group trials") : t("Group runs")}
        data-testid="group-runs"
        data-on={view.group !== "" || undefined}
        value={view.group}
        onChange={(event) => onChange({ ...view, group: event.target.value })}
      >
        {GROUPS.filter(([value]) => !varied || !SAME_IN_SWEEP.has(value)).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {grouping.map(({ key, label }) => (
          <option key={key} value={key}>
            {t("Group by {label}", { label })}
          </option>
        ))}
      </select>
      <details
        className="pd-runs-columns"
        data-testid="columns"
        onToggle={(event) => event.currentTarget.open && load()}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.open = false;
        }}
        onBlur={(event) => {
          const next = event.relatedTarget;
          if (next && !event.currentTarget.contains(next)) event.currentTarget.open = false;
        }}
      >
        <summary className="pd-button">
          <Columns3 size={15} aria-hidden /> {t("Columns")}
        </summary>
        <div className="pd-runs-column-list pd-scroll">
          {state === "failed" && <p>{t("The server is not responding. Open this menu again.")}</p>}
          <Section
            title={t("Metrics")}
            columns={known.filter(({ kind }) => kind === "metric")}
            none={none(t("No metrics logged yet."))}
            view={view}
            onChange={onChange}
          />
          <Section
            title={t("Parameters that differ")}
            columns={parameters}
            none={none(t("All runs have the same parameters."))}
            view={view}
            onChange={onChange}
          />
        </div>
      </details>
    </>
  );
}

interface SectionProps extends Pick<Props, "view" | "onChange"> {
  readonly title: string;
  readonly columns: readonly RunColumn[];
  readonly none: string;
}

function Section({ title, columns, none, view, onChange }: SectionProps): ReactElement {
  return (
    <fieldset>
      <legend>{title}</legend>
      {columns.length === 0 && <p className="pd-dim">{none}</p>}
      {columns.map((column) => (
        <Choice key={column.key} column={column} view={view} onChange={onChange} />
      ))}
    </fieldset>
  );
}

interface ChoiceProps extends Pick<Props, "view" | "onChange"> {
  readonly column: RunColumn;
}

function Choice({ column, view, onChange }: ChoiceProps): ReactElement {
  const { key, label, module } = column;
  const isShown = view.columns.includes(key);
  const isPinned = view.pinned.includes(key);
  const without = (keys: readonly string[]): readonly string[] =>
    keys.filter((other) => other !== key);
  const show = (): void =>
    onChange(
      isShown
        ? { ...view, columns: without(view.columns), pinned: without(view.pinned) }
        : { ...view, columns: [...view.columns, key] },
    );
  const pin = (): void => {
    const pinned = isPinned ? without(view.pinned) : [...view.pinned, key];
    onChange({ ...view, pinned, columns: isShown ? view.columns : [...view.columns, key] });
  };
  return (
    <div className="pd-runs-column">
      <label>
        <input type="checkbox" checked={isShown} onChange={show} />
        <span>
          {label} {module && <small>{module}</small>}
        </span>
      </label>
      <button
        type="button"
        className="pd-icon-button"
        aria-label={t("Pin {label}", { label })}
        title={t("Pin next to the run name")}
        aria-pressed={isPinned}
        onClick={pin}
      >
        <Pin size={14} aria-hidden />
      </button>
    </div>
  );
}
