/** Marks on the upper edge of a node, of the same size at every zoom: problems, comment, status. */

import { CircleAlert, MessageSquareText, TriangleAlert } from "lucide-react";
import { memo, type ReactElement } from "react";

import type { PipelineNode, Problem, StepState } from "../graph/types";
import { useEditor, useEditorState, useView } from "../view/context";
import { showDock } from "../view/dock";
import { StatusPill } from "../ui/StatusPill";
import { selectSettings, selectStaleness, selectUsedPin } from "../store/selectors";
import { PinMark, SweepMark } from "./laterParts";
import { t } from "../graph/translate";

interface Props {
  readonly node: PipelineNode;
  readonly step: StepState | undefined;
  readonly faults: readonly Problem[];
}

export const NodeMarks = memo(function NodeMarks({ node, step, faults }: Props): ReactElement {
  const stale = useEditorState(selectStaleness(node.id));
  const pinned = useEditorState(selectUsedPin(node.id)) !== undefined;
  const { sweep } = useEditorState(selectSettings);
  return (
    <div className="pd-node-marks">
      <ProblemBadge problems={faults} />
      {node.comment && (
        <span className="pd-badge" data-severity="comment" title={node.comment}>
          <MessageSquareText
            size={11}
            aria-label={t("Comment: {comment}", { comment: node.comment })}
          />
        </span>
      )}
      {sweep && <SweepMark node={node.id} />}
      {node.pin && <PinMark run={node.pin.run} />}
      <StatusPill node={node.id} step={step} stale={stale} pinned={pinned} />
    </div>
  );
});

/** Severity and texts of a node's problems: a click shows them. */
function ProblemBadge({
  problems,
}: {
  readonly problems: readonly Problem[];
}): ReactElement | null {
  const editor = useEditor();
  const view = useView();
  const worst = problems.find((problem) => problem.severity === "error") ?? problems[0];
  if (!worst) return null;
  const Icon = worst.severity === "error" ? CircleAlert : TriangleAlert;
  const words = problems.map((problem) => `${problem.message} ${problem.cure}`).join("\n");
  return (
    <button
      type="button"
      className="pd-badge nodrag"
      data-severity={worst.severity}
      title={words}
      aria-label={`${t("{count:,} {count:problem|problems}", { count: problems.length })}: ${words}`}
      tabIndex={-1}
      onClick={() => showDock(editor, view, "problems")}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}
