/** What React Flow would find out by drawing and measuring is told to it before it draws at all. */

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
 * Gives the first view: as it was left `before`, else `initialViewport`. Sizes and ports are those
 * of the document, so nothing is ever measured: at 500 nodes that takes as long as all else, and
 * from far away it finds no ports.
 */
export function useInitialViewport(
  { nodes, edges }: Scene,
  size: Size,
  before: Viewport | undefined,
): Viewport {
  const editor = useEditor();
  const store = useStoreApi();
  const [viewport] = useState(() => {
    const view = before ?? initialViewport(nodes, size, hasPreviews(editor.state));
    const transform: [number, number, number] = [view.x, view.y, view.zoom];
    store.setState({ ...size, transform, updateNodeInternals: () => undefined });
    store.getState().setNodes(nodes);
    store.getState().setEdges(edges);
    return view;
  });
  return viewport;
}
