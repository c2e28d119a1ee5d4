/** Values of a trial that the address names, as the page of a sweep opens it: one undo step. */

import { fetchSweep } from "../api/sweeps";
import { withValues } from "../graph/sweep";
import { t } from "../graph/translate";
import type { Editor } from "../store/editor";

const applied = new Set<string>();

export async function applyTrialInAddress(editor: Editor): Promise<void> {
  const query = new URLSearchParams(location.search);
  const [sweep, trial] = [query.get("sweep"), query.get("trial")];
  if (sweep === null || trial === null || query.get("pipeline") !== editor.id) return;
  const once = `${sweep}.${trial}`;
  if (applied.has(once) || editor.state.readOnly) return;
  applied.add(once);
  forgetTrial(query);
  try {
    const report = await fetchSweep(editor.api, sweep);
    const chosen = report.trials.find(({ number }) => String(number) === trial);
    if (!chosen) return;
    editor.edit(
      withValues(editor.state.whole, chosen.values),
      t("Use the values of trial {trial}", { trial }),
    );
    editor.notify(
      t("The values of trial {trial} are set. Undo restores the earlier ones.", { trial }),
    );
  } catch (error) {
    editor.notifyError(error);
  }
}

/** Change the address, so that a reload does not set the values again. */
function forgetTrial(query: URLSearchParams): void {
  query.delete("sweep");
  query.delete("trial");
  history.replaceState(history.state, "", `${location.pathname}?${query.toString()}`);
}
