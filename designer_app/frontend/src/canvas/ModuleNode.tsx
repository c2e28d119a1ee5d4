/** Node of the pipeline on the canvas. */

import type { NodeProps } from "@xyflow/react";
import { memo, type ReactElement } from "react";

import { previewedType } from "../graph/previewedType";
import { isOpenInput } from "../graph/problems";
import { hasSucceeded } from "../graph/runState";
import type { StepState } from "../graph/types";
import { useEditorState, useViewState } from "../view/context";
import { selectForecastOf } from "../view/viewStore";
import {
  selectCatalog,
  selectIsUnneeded,
  selectNode,
  selectPane,
  selectProblemsOf,
  selectStaleness,
  selectStep,
} from "../store/selectors";
import { CompactNode } from "./CompactNode";
import { FailureCard, NodePreview } from "./laterParts";
import { NodeBar, NodeFooter } from "./NodeFooter";
import { NodeHead } from "./NodeHead";
import { NodeMarks } from "./NodeMarks";
import { NodeProgress } from "./NodeProgress";
import { NodePorts } from "./NodePorts";
import { useLevelOfDetail } from "./useLevelOfDetail";

export const ModuleNode = memo(function ModuleNode({ id }: NodeProps): ReactElement | null {
  const detail = useLevelOfDetail();
  const node = useEditorState(selectNode(id));
  const catalog = useEditorState(selectCatalog);
  const step = useEditorState(selectStep(id));
  const problems = useEditorState(selectProblemsOf(id));
  const previews = useEditorState(selectPane("previews"));
  const stale = useEditorState(selectStaleness(id));
  const unneeded = useEditorState(selectIsUnneeded(id));
  const willReuse = useViewState(selectForecastOf(id))?.reused;
  if (!node) return null;
  const module = catalog.byId.get(node.module);
  const shared = { node, module, catalog, step, problems };
  if (detail === "overview") return <CompactNode {...shared} isNamed={false} />;
  if (detail === "far") {
    return (
      <CompactNode {...shared} isNamed>
        <Failure node={id} step={step} />
      </CompactNode>
    );
  }
  const shown = previews && step && hasSucceeded(step) ? previewedType(node, module) : undefined;
  const faults = problems.filter((problem) => !isOpenInput(problem));
  const worst = faults.some((fault) => fault.severity === "error") ? "error" : faults[0]?.severity;
  return (
    <div
      className="pd-node"
      data-testid={`node-${id}`}
      data-status={step?.status}
      data-problem={worst}
      data-disabled={node.disabled}
      data-collapsed={node.collapsed || undefined}
      data-will-reuse={willReuse}
      data-unneeded={unneeded || undefined}
      data-stale={stale.length > 0 || undefined}
      data-type={node.color ?? undefined}
    >
      <NodeHead {...shared} />
      <NodeMarks node={node} step={step} faults={faults} />
      {module && <NodePorts node={node} module={module} catalog={catalog} problems={problems} />}
      {node.collapsed ? (
        <NodeBar step={step} />
      ) : (
        <>
          {module && <NodeProgress node={node} module={module} step={step} />}
          <NodeFooter node={node} module={module} step={step} />
        </>
      )}
      {shown && <NodePreview node={id} isNetwork={shown === "UntrainedModel"} />}
      <Failure node={id} step={step} />
    </div>
  );
});

function Failure({
  node,
  step,
}: {
  readonly node: string;
  readonly step: StepState | undefined;
}): ReactElement | null {
  if (step?.status !== "failed" || !step.problem) return null;
  return <FailureCard node={node} problem={step.problem} />;
}
