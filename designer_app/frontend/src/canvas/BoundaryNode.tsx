/** Node that shows the inputs or outputs of a sub-pipeline inside it. */

import type { NodeProps } from "@xyflow/react";
import { memo, type ReactElement } from "react";

import { selectCatalog, selectNode } from "../store/selectors";
import { useEditorState } from "../view/context";
import { NodePorts } from "./NodePorts";

export const BoundaryNode = memo(function BoundaryNode({ id }: NodeProps): ReactElement | null {
  const node = useEditorState(selectNode(id));
  const catalog = useEditorState(selectCatalog);
  const module = catalog.byId.get(node?.module ?? "");
  if (!node || !module) return null;
  return (
    <div className="pd-boundary" data-testid={`node-${id}`}>
      <div className="pd-boundary-head">{module.title}</div>
      <NodePorts node={node} module={module} catalog={catalog} problems={[]} />
    </div>
  );
});
