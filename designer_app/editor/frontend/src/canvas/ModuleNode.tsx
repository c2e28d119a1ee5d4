/** A node of the pipeline on the canvas. */

import type { NodeProps } from "@xyflow/react";
import { lazy, memo, type ReactElement, Suspense } from "react";

import { useEditorState, useViewState } from "../view/context";
import { importWithRetry } from "../ui/importWithRetry";
import { selectForecastOf } from "../view/viewStore";
import { selectCatalog, selectNode, selectProblemsOf, selectStep } from "../store/selectors";
import { CompactNode } from "./CompactNode";
import { NodeFooter } from "./NodeFooter";
import { NodeHead } from "./NodeHead";
import { NodeProgress } from "./NodeProgress";
import { NodePorts } from "./NodePorts";
import { useLevelOfDetail } from "./useLevelOfDetail";

// seldom wanted, and never in the first picture
const FailureCard = lazy(async () => ({
  default: (await importWithRetry(() => import("./FailureCard"))).FailureCard,
}));

export const ModuleNode = memo(function ModuleNode({ id }: NodeProps): ReactElement | null {
  const detail = useLevelOfDetail();
  const node = useEditorState(selectNode(id));
  const catalog = useEditorState(selectCatalog);
  const step = useEditorState(selectStep(id));
  const problems = useEditorState(selectProblemsOf(id));
  const willReuse = useViewState(selectForecastOf(id))?.reused;
  if (!node) return null;
  const module = catalog.byId.get(node.module);
  const shared = { node, module, catalog, step, problems };
  if (detail !== "near") return <CompactNode {...shared} isNamed={detail === "far"} />;
  const worst = problems.some((each) => each.severity === "error")
    ? "error"
    : problems[0]?.severity;
  return (
    <div
      className="pd-node"
      data-testid={`node-${id}`}
      data-status={step?.status}
      data-problem={worst}
      data-disabled={node.disabled}
      data-will-reuse={willReuse}
    >
      <NodeHead {...shared} />
      {module && <NodePorts node={id} module={module} catalog={catalog} problems={problems} />}
      {module && <NodeProgress node={node} module={module} step={step} />}
      <NodeFooter node={node} module={module} step={step} />
      {step?.status === "failed" && step.problem && (
        <Suspense fallback={null}>
          <FailureCard node={id} problem={step.problem} />
        </Suspense>
      )}
    </div>
  );
});
