/** The first line of a node: icon, title (or the field to rename it), badges, status. */

import { CircleAlert, MessageSquareText, TriangleAlert } from "lucide-react";
import { memo, type ReactElement } from "react";

import type { Catalog } from "../graph/catalog";
import { titleOf } from "../graph/search";
import type { ModuleSpec, PipelineNode, Problem, StepState } from "../graph/types";
import { useEditor, useEditorState, useView } from "../view/context";
import { showDock } from "../view/dock";
import { ModuleIcon } from "../ui/ModuleIcon";
import { StatusPill } from "../ui/StatusPill";
import { selectIsRenaming, selectStaleness } from "../store/selectors";
import { RenameField } from "./RenameField";

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
  readonly step: StepState | undefined;
  readonly problems: readonly Problem[];
}

export const NodeHead = memo(function NodeHead(props: Props): ReactElement {
  const { node, module, catalog, step, problems } = props;
  const editor = useEditor();
  const renaming = useEditorState(selectIsRenaming(node.id));
  const stale = useEditorState(selectStaleness(node.id));
  const title = titleOf(node, catalog);
  return (
    <div className="pd-node-head">
      <ModuleIcon module={module} catalog={catalog} />
      {renaming ? (
        <RenameField node={node} title={title} />
      ) : (
        <span
          className="pd-node-title"
          title={node.title && module ? `${title} (${module.title})` : title}
          onDoubleClick={(event) => {
            event.stopPropagation();
            editor.openDialog({ kind: "rename", node: node.id });
          }}
        >
          {title}
        </span>
      )}
      <ProblemBadge problems={problems} />
      {node.comment && (
        <span className="pd-badge" data-severity="comment" title={node.comment}>
          <MessageSquareText size={11} aria-label={`Comment: ${node.comment}`} />
        </span>
      )}
      <StatusPill node={node.id} step={step} stale={stale} />
    </div>
  );
});

/** How bad it is, and what: a click shows the problems. */
function ProblemBadge({
  problems,
}: {
  readonly problems: readonly Problem[];
}): ReactElement | null {
  const editor = useEditor();
  const view = useView();
  const worst = problems.find((each) => each.severity === "error") ?? problems[0];
  if (!worst) return null;
  const Icon = worst.severity === "error" ? CircleAlert : TriangleAlert;
  const words = problems.map((each) => `${each.message} ${each.cure}`).join("\n");
  return (
    <button
      type="button"
      className="pd-badge nodrag"
      data-severity={worst.severity}
      title={words}
      aria-label={`${problems.length} to put right: ${words}`}
      tabIndex={-1}
      onClick={() => showDock(editor, view, "problems")}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}
