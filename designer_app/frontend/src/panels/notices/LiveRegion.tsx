/** Announcements for screen readers: the run, its nodes, refusals. */

import { type ReactElement, useEffect } from "react";

import { findNode } from "../../graph/lookup";
import { outermost, shownNode } from "../../graph/paths";
import { headlineOf } from "../../graph/problems";
import { shownStatus } from "../../graph/runState";
import { titleOf } from "../../graph/search";
import { useEditor, useView, useViewState } from "../../view/context";
import { selectSpoken, speak } from "../../view/viewStore";
import { t } from "../../graph/translate";
import { statusWords } from "../../graph/statusWords";

const SAID = new Set(["completed", "reused", "failed", "cancelled"]);

export function LiveRegion(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const spoken = useViewState(selectSpoken);
  useEffect(
    () =>
      editor.store.subscribe(({ run, document, whole, catalog }, before) => {
        if (!run || run === before.run) return;
        if (run.state.status !== before.run?.state.status)
          speak(view, t("Run {status}.", { status: statusWords(run.state.status) }));
        if (run.steps === before.run?.steps || run.id !== before.run?.id) return;
        for (const [id, step] of Object.entries(run.steps)) {
          const old = before.run.steps[id]?.status;
          const status = shownStatus(step); // what never started is not worth a word
          if (step.status === old || !SAID.has(status)) continue;
          const shown = shownNode(document, id) ?? outermost(id);
          const node = findNode(document, shown) ?? findNode(whole, shown);
          if (!node) continue;
          speak(
            view,
            `${titleOf(node, catalog)}: ${statusWords(status)}. ${headlineOf(step.problem?.message ?? "")}`,
          );
        }
      }),
    [editor, view],
  );
  return (
    <div className="pd-sr" role="status" aria-live="polite" data-testid="spoken">
      {spoken}
    </div>
  );
}
