/** The shown rows as a CSV file, in their order. */

import type { RunColumn } from "../../api/types.gen";
import { t } from "../../graph/translate";
import type { JsonValue } from "../../graph/types";
import { valueOf } from "./tableView";
import type { RunItem } from "./trials";

/** Starts of texts that spreadsheets would calculate. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Return the rows with unrounded values.
 *
 * `columns` are shown, and `keys` name the values of the runs.
 */
export function csvOf(
  rows: readonly RunItem[],
  columns: readonly RunColumn[],
  keys: readonly string[],
): string {
  const areTrials = rows.some(({ trial }) => trial);
  const head = [
    areTrials ? t("Trial") : t("Run"),
    t("Id"),
    t("Metric"),
    t("Result"),
    ...columns.map(({ label }) => label),
    t("Status"),
    t("Seconds"),
    t("Started"),
    areTrials ? t("Reason") : t("Note"),
  ];
  const lines = rows.map((row) => [
    valueOf(row, "name", keys),
    (row.trial?.hasRun ?? true) ? row.run_id : "",
    row.headline?.label ?? "",
    row.headline?.value ?? null,
    ...columns.map(({ key }) => valueOf(row, key, keys)),
    row.status,
    row.seconds,
    row.started === null ? "" : new Date(row.started * 1000).toISOString(),
    row.trial?.reason ?? row.note,
  ]);
  return [head, ...lines].map((cells) => cells.map(cell).join(",") + "\r\n").join("");
}

function cell(value: JsonValue): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
