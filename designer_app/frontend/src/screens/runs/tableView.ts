/** View of the run list: columns, order, groups; stored by this browser. */

import type { RunColumn } from "../../api/types.gen";
import type { JsonValue } from "../../graph/types";
import { localNumber } from "../../graph/sentences/catalog";
import { metricText } from "../../view/metricWords";
import { type RunItem, isVaried } from "./trials";

export interface TableView {
  /** Keys of columns, as the server names them; pinned ones follow the name. */
  readonly columns: readonly string[];
  readonly pinned: readonly string[];
  /** "name", "result", "took", "submitted" or the key of a column. */
  readonly sort: string;
  readonly descending: boolean;
  /** "", "pipeline_name", "experiment", "status" or the key of a column. */
  readonly group: string;
}

export const NEWEST_FIRST: TableView = {
  columns: [],
  pinned: [],
  sort: "submitted",
  descending: true,
  group: "",
};

export interface RunGroup {
  readonly name: string;
  readonly runs: readonly RunItem[];
}

/** Trials by number. */
export const BY_NUMBER: TableView = { ...NEWEST_FIRST, sort: "name", descending: false };

/** Names in the browser's storage. */
export type Table = "pd-runs-table" | "pd-trials-table";

export function keptView(table: Table): TableView {
  const usual = table === "pd-runs-table" ? NEWEST_FIRST : BY_NUMBER;
  try {
    const kept: unknown = JSON.parse(globalThis.localStorage.getItem(table) ?? "{}");
    return isView(kept) ? kept : usual;
  } catch {
    return usual; // nothing valid is stored
  }
}

export function keepView(table: Table, view: TableView): void {
  try {
    globalThis.localStorage.setItem(table, JSON.stringify(view));
  } catch {
    // the default applies next time
  }
}

/** Return the columns in display order: pinned ones first. */
export function ordered({ columns, pinned }: TableView): readonly string[] {
  return [...pinned, ...columns.filter((key) => !pinned.includes(key))];
}

/** Return the selected columns that exist, in their order. */
export function shownColumns(view: TableView, known: readonly RunColumn[]): readonly RunColumn[] {
  const byKey = new Map(known.map((column) => [column.key, column]));
  return ordered(view).flatMap((key) => byKey.get(key) ?? []);
}

/** Return the view sorted by another column; by the same one in the other direction. */
export function sortedBy(view: TableView, sort: string, bestIsHigh: boolean): TableView {
  const descending = view.sort === sort ? !view.descending : bestIsHigh;
  return { ...view, sort, descending };
}

/** Return the runs in display order; those without a value in the sorted column come last. */
export function arranged(
  runs: readonly RunItem[],
  view: TableView,
  keys: readonly string[],
): readonly RunGroup[] {
  const sorted = [...runs].sort((one, other) => {
    const [left, right] = [valueOf(one, view.sort, keys), valueOf(other, view.sort, keys)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return (view.descending ? -1 : 1) * compared(left, right);
  });
  if (view.group === "") return [{ name: "", runs: sorted }];
  const groups = new Map<string, RunItem[]>();
  for (const run of sorted) {
    const name = cellText(view.group, valueOf(run, view.group, keys));
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  return [...groups].map(([name, members]) => ({ name, runs: members }));
}

/** Value of a column of a run; `keys` name the run's values. */
export function valueOf(run: RunItem, column: string, keys: readonly string[]): JsonValue {
  switch (column) {
    case "name":
      return run.trial?.number ?? run.name;
    case "result":
      return run.headline?.value ?? null;
    case "took":
      return run.seconds;
    case "submitted":
      return run.created;
    case "pipeline_name":
      return run.pipeline_label;
    case "experiment":
    case "status":
      return run[column];
    default:
      return run.trial?.values[column] ?? (run.values ?? [])[keys.indexOf(column)] ?? null;
  }
}

/** Format a value; a metric with its unit. */
export function cellText(column: string, value: JsonValue): string {
  if (value === null) return "–";
  const metric = /^metric:(.*)$/s.exec(column)?.[1];
  if (metric !== undefined && typeof value === "number") return metricText(metric, value);
  if (isVaried(column) && typeof value === "number" && !Number.isInteger(value)) {
    return localNumber(String(Number(value.toPrecision(4)))); // as the page's other parts
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function compared(one: JsonValue, other: JsonValue): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}

function isView(kept: unknown): kept is TableView {
  if (typeof kept !== "object" || kept === null) return false;
  const { columns, pinned, sort, descending, group } = kept as Record<string, unknown>;
  const texts = [columns, pinned].every(
    (list) => Array.isArray(list) && list.every((item) => typeof item === "string"),
  );
  return (
    texts &&
    typeof sort === "string" &&
    typeof descending === "boolean" &&
    typeof group === "string"
  );
}
