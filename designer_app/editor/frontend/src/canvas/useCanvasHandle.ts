/** What commands need of the canvas: fit, zoom, the pointer, the sizes. */

import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

import { nodeSize } from "../graph/geometry";
import type { Position, Size } from "../graph/types";
import { useEditor } from "../parts/context";
import { focusIn } from "./useFocus";

export const FIT = { padding: 0.07, maxZoom: 1, minZoom: 0.1 } as const;

export function useCanvasHandle(frame: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const flow = useReactFlow();
  useEffect(() => {
    let pointer: { x: number; y: number } | null = null;
    const follow = (event: PointerEvent): void => {
      pointer = { x: event.clientX, y: event.clientY };
    };
    window.addEventListener("pointermove", follow, { passive: true });
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180;
    const rectangle = (): DOMRect | undefined => frame.current?.getBoundingClientRect();
    const detach = editor.attachCanvas({
      fitView: (nodes) => {
        const chosen = nodes ? { nodes: nodes.map((id) => ({ id })) } : {};
        void flow.fitView({ ...FIT, ...chosen, duration });
      },
      zoomBy: (factor) => {
        void flow.zoomTo(flow.getZoom() * factor, { duration });
      },
      centre: () => {
        const box = rectangle();
        if (!box) return { x: 0, y: 0 };
        return flow.screenToFlowPosition({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
      },
      pointer: (): Position | null => {
        const box = rectangle();
        if (!pointer || !box || !isInside(pointer, box)) return null;
        return flow.screenToFlowPosition(pointer);
      },
      sizes: () => sizesOf(editor),
      focus: () => {
        if (frame.current) focusIn(frame.current, editor.state.selection.nodes[0]);
      },
    });
    return () => {
      window.removeEventListener("pointermove", follow);
      detach();
    };
  }, [editor, flow, frame]);
}

function sizesOf(editor: ReturnType<typeof useEditor>): ReadonlyMap<string, Size> {
  const { document, catalog } = editor.store.getState();
  return new Map(
    document.nodes.map((node) => [node.id, nodeSize(node, catalog.byId.get(node.module))]),
  );
}

export function isInside(point: { x: number; y: number }, box: DOMRect): boolean {
  return point.x >= box.left && point.x <= box.right && point.y >= box.top && point.y <= box.bottom;
}
