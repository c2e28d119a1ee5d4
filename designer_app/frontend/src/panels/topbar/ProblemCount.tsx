/** Number of problems; a click shows them. */

import { CircleAlert, CircleDashed, CircleHelp, ListChecks, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";

import { useEditor, useEditorState, useView } from "../../view/context";
import { showDock } from "../../view/dock";
import {
  selectIsEmpty,
  selectNumErrors,
  selectNumOpenInputs,
  selectNumWarnings,
  selectVerdict,
} from "../../store/selectors";
import { t } from "../../graph/translate";

const ICONS = {
  error: CircleAlert,
  warning: TriangleAlert,
  open: CircleDashed,
  none: ListChecks, // a tick next to a status would look like its verdict
  unknown: CircleHelp,
} as const;

/** Inputs without a wire are not errors while the pipeline is being built. */
function severityOf(errors: number, faults: number, warnings: number): keyof typeof ICONS {
  if (faults > 0) return "error";
  if (warnings > 0) return "warning";
  return errors > 0 ? "open" : "none";
}

export function ProblemCount(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const empty = useEditorState(selectIsEmpty);
  const numErrors = useEditorState(selectNumErrors);
  // an empty canvas has its own hints
  const errors = empty ? 0 : numErrors;
  const warnings = useEditorState(selectNumWarnings);
  const waiting = useEditorState(selectNumOpenInputs);
  const open = empty ? 0 : waiting;
  const verdict = useEditorState(selectVerdict);
  const known = severityOf(errors, errors - open, warnings);
  const severity = known === "none" && verdict === "missing" ? "unknown" : known;
  const Icon = ICONS[severity];
  const counted = countedWords(errors - open, open, warnings);
  const checked = verdict === "missing" ? t("Not checked") : undefined;
  const words = [checked, counted].filter(Boolean).join(": ") || t("No problems");
  return (
    <button
      type="button"
      className="pd-button pd-count"
      data-kind="plain"
      data-severity={severity}
      data-testid="problem-count"
      title={t("{words}. Show problems", { words })}
      aria-label={t("{words}. Show problems", { words })}
      onClick={() => showDock(editor, view, "problems")}
    >
      <Icon size={16} aria-hidden />
      {known !== "none" && <span>{errors || warnings}</span>}
    </button>
  );
}

function countedWords(faults: number, open: number, warnings: number): string {
  return [
    faults && t("{count:,} {count:error|errors}", { count: faults }),
    open && t("{count:,} {count:input|inputs} to connect", { count: open }),
    warnings && t("{count:,} {count:warning|warnings}", { count: warnings }),
  ]
    .filter(Boolean)
    .join(", ");
}
