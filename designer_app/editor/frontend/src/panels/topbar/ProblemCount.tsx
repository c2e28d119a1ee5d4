/** How much is wrong; a click shows what. */

import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";

import { useEditor, useEditorState, useView } from "../../view/context";
import { showDock } from "../../view/dock";
import { plural } from "../../view/format";
import { selectIsEmpty, selectNumErrors, selectNumWarnings } from "../../store/selectors";

export function ProblemCount(): ReactElement {
  const editor = useEditor();
  const view = useView();
  const empty = useEditorState(selectIsEmpty);
  const found = useEditorState(selectNumErrors);
  // an empty canvas says itself how to begin
  const errors = empty ? 0 : found;
  const warnings = useEditorState(selectNumWarnings);
  const severity = errors > 0 ? "error" : warnings > 0 ? "warning" : "none";
  const Icon = { error: CircleAlert, warning: TriangleAlert, none: CircleCheck }[severity];
  const words =
    severity === "none"
      ? "No problems"
      : [errors && plural(errors, "error"), warnings && plural(warnings, "warning")]
          .filter(Boolean)
          .join(", ");
  return (
    <button
      type="button"
      className="pd-button pd-count"
      data-kind="plain"
      data-severity={severity}
      data-testid="problem-count"
      title={`${words}: show them`}
      aria-label={`${words}: show them`}
      onClick={() => showDock(editor, view, "problems")}
    >
      <Icon size={16} aria-hidden />
      {severity !== "none" && <span>{errors || warnings}</span>}
    </button>
  );
}
