/**
 * Metrics as text: `Overall_Accuracy` of 0.983 is Accuracy, 98.3 %. The same as in
 * `pipelines/runs/metric_words.py`; `tests/cases/metrics.json` checks both.
 */

import { formatNumber } from "./format";
import { localNumber } from "../graph/sentences/catalog";
import { t } from "../graph/translate";

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ["overall accuracy", t("Accuracy")],
  ["top-1 validation accuracy", t("Validation accuracy")],
  ["valid loss", t("Validation loss")],
  ["valid error", t("Validation error")],
  ["train loss", t("Training loss")],
  ["train error", t("Training error")],
  ["roc auc ovr", t("ROC AUC")],
  ["share of this machine's limit", t("Share of this machine’s limit")],
]);
const COMPARED = "compared ";
const TIME = "time ";
const SHARE = /\b(accuracy|precision|recall|f1|error|share)\b/;

/** `Overall_Accuracy` as "Accuracy"; abbreviations keep their capitals. */
export function metricWords(name: string): string {
  const plain = plainOf(name);
  const low = plain.toLowerCase();
  const special = SPECIAL.get(low);
  if (special !== undefined) return special;
  if (low.startsWith(COMPARED)) {
    return t("Compared {lowered}", { lowered: lowered(metricWords(plain.slice(COMPARED.length))) });
  }
  if (low.startsWith(TIME))
    return t("Time {lowered}", { lowered: lowered(plain.slice(TIME.length)) });
  const words = plain.split(" ").map((word) => (isAbbreviation(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return isAbbreviation(words[0] ?? "") ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Format a value with its unit: "98.3 %" for an accuracy, "0.412" for a loss; a dash for none. */
export function metricText(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return formatNumber(null);
  if (isShare(name) && value >= 0 && value <= 1) {
    return `${localNumber((Math.floor(value * 1000 + 0.5) / 10).toFixed(1))} %`;
  }
  return formatNumber(value);
}

function isShare(name: string): boolean {
  const low = plainOf(name).toLowerCase();
  return SHARE.test(low) || low.startsWith(TIME);
}

function plainOf(name: string): string {
  return name.replaceAll("_", " ").split(/\s+/).filter(Boolean).join(" ");
}

/** Return true for "ROC", "F1" and "OvR": a capital or a digit after the first letter. */
function isAbbreviation(word: string): boolean {
  return /[A-Z0-9]/.test(word.slice(1));
}

function lowered(text: string): string {
  const [first = ""] = text.split(" ");
  return isAbbreviation(first) ? text : text.slice(0, 1).toLowerCase() + text.slice(1);
}
