/** States of runs and nodes in the language of the page. */

import { t } from "./translate";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["not started", t("not started")],
  ["queued", t("queued")],
  ["preparing", t("preparing")],
  ["looking", t("looking")],
  ["running", t("running")],
  ["finalising", t("finalising")],
  ["stalled", t("stalled")],
  ["cancelling", t("cancelling")],
  ["reconnecting", t("reconnecting")],
  ["completed", t("completed")],
  ["reused", t("reused")],
  ["pinned", t("pinned")],
  ["failed", t("failed")],
  ["cancelled", t("cancelled")],
  ["skipped", t("skipped")],
  ["paused", t("paused")],
]);

export function statusWords(status: string): string {
  return WORDS.get(status) ?? status;
}
