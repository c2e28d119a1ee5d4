/** Measurements that React Flow would take after a first paint, set before it. */

import { type Edge, type Node as FlowNode, useStoreApi } from "@xyflow/react";
import { useState } from "react";

import type { Size } from "../graph/types";
import type { Viewport } from "../store/types";
import { useEditor } from "../view/context";
import { hasPreviews, initialViewport } from "./initialViewport";

interface Scene {
  readonly nodes: FlowNode[];
  readonly edges: Edge[];
}

/**
 * Set the first view: the one left `before`, else `initialViewport`. Sizes and ports are computed
 * from the document instead of measured: at 500 nodes measuring takes as long as everything else,
 * and from far away it finds no ports.
 */
export function useInitialViewport(
  { nodes, edges }: Scene,
  size: Size,
  before: Viewport | undefined,
): Viewport {
  const editor = useEditor();
  const store = useStoreApi();
  const [viewport] = useState(() => {
    const view = before ?? initialViewport({ nodes, edges }, size, hasPreviews(editor.state));
    const transform: [number, number, number] = [view.x, view.y, view.zoom];
    store.setState({ ...size, transform, updateNodeInternals: () => undefined });
    store.getState().setNodes(nodes);
    store.getState().setEdges(edges);
    return view;
  });
  return viewport;
}
