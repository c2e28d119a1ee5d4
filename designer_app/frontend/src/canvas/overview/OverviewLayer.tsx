/**
 * One canvas for all nodes and wires, while there are too many to render one by one. Frames per
 * second while everything is in view and panned, against `?overview=off` (software rendering on two
 * cores, three alternating rounds): 150 nodes 60 versus 42, 500 nodes 57 versus 14, 2,000 nodes 53
 * versus 1.4; zoomed 60 versus 38, 60 versus 8, 52 versus 3. On the same cores while they are busy,
 * 300 nodes: panned 55 versus 8, a node dragged 28 versus 8, zoomed 44 versus 3.
 */

import { type Edge, type Node as FlowNode, useStoreApi } from "@xyflow/react";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useStore } from "zustand";

import { useEditor, useRoot } from "../../view/context";
import { findWiresBy } from "../edgeHitTest";
import { connectionDragStore } from "../connectionDrag";
import { keepPointerTargets } from "./pointerTargets";
import { OverviewScheduler } from "./scheduler";

interface Props {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly Edge[];
}

export function OverviewLayer({ nodes, edges }: Props): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scheduler = useRef<OverviewScheduler>(null);
  const editor = useEditor();
  const root = useRoot();
  const flow = useStoreApi();
  useLayoutEffect(() => {
    const element = canvas.current;
    const frame = element?.closest<HTMLElement>(".pd-canvas");
    const context = element?.getContext("2d");
    if (!frame || !context) return undefined;
    const made = new OverviewScheduler(context, root, flow, editor.store);
    scheduler.current = made;
    frame.dataset["overview"] = "true";
    const release = findWiresBy(frame, (point) => made.wireAt(point));
    const forget = keepPointerTargets(frame, (point) => made.nodesNear(point));
    return () => {
      release();
      forget();
      made.close();
      scheduler.current = null;
      delete frame.dataset["overview"];
    };
  }, [editor, flow, root]);
  const pulled = useStore(connectionDragStore, (state) => state.pulled);
  useEffect(
    () => scheduler.current?.show(nodes, pulled ? edges.filter(({ id }) => id !== pulled) : edges),
    [nodes, edges, pulled],
  );
  return <canvas ref={canvas} className="pd-overview" aria-hidden data-testid="overview" />;
}
