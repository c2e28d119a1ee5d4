/** Alignment of dragged elements with the nodes around them. */

import type { Node as FlowNode, NodeChange, NodePositionChange } from "@xyflow/react";

import { boxAround } from "../graph/layout/geometry";
import { alignedTo } from "../graph/layout/guides";
import { guideStore } from "./alignment";
import { boxOf } from "./routedEdges";

/** Distance at which elements snap, in pixels of the document. */
const REACH = 5;
/** Number of nodes above which a check of all would cost frames. */
const MOST = 300;

/** Align the dragged elements in the changes with a nearby node that stays. */
export function aligned(changes: NodeChange[], nodes: readonly FlowNode[]): NodeChange[] {
  const drags = changes.filter(isDrag);
  if (drags.length === 0 || nodes.length > MOST) return changes;
  const places = new Map(drags.map(({ id, position }) => [id, position]));
  const boxes = nodes.flatMap((node) => {
    const position = places.get(node.id);
    return position ? [boxOf({ ...node, position })] : [];
  });
  const box = boxAround(boxes);
  const others = nodes.filter((node) => node.type === "module" && !places.has(node.id)).map(boxOf);
  if (!box) return changes;
  const { dx, dy, guides } = alignedTo(box, others, REACH);
  guideStore.setState({ guides });
  return changes.map((change) => (isDrag(change) ? shifted(change, dx, dy) : change));
}

type Drag = NodePositionChange & { position: NonNullable<NodePositionChange["position"]> };

function isDrag(change: NodeChange): change is Drag {
  return change.type === "position" && change.dragging === true && change.position !== undefined;
}

function shifted(change: Drag, dx: number, dy: number): Drag {
  const { x, y } = change.position;
  return { ...change, position: { x: x + dx, y: y + dy } };
}
