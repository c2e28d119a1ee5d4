/** Alignment while dragging, loaded on first use, and its guide lines. */

import type { Node as FlowNode, NodeChange } from "@xyflow/react";
import { createStore } from "zustand/vanilla";

import type { Guide } from "../graph/layout/guides";

type Align = (changes: NodeChange[], nodes: readonly FlowNode[]) => NodeChange[];

const NONE: readonly Guide[] = [];

export const guideStore = createStore<{
  readonly guides: readonly Guide[];
  readonly align: Align | null;
}>(() => ({ guides: NONE, align: null }));

export function clearGuides(): void {
  if (guideStore.getState().guides.length > 0) guideStore.setState({ guides: NONE });
}

export const inLine: Align = (changes, nodes) =>
  guideStore.getState().align?.(changes, nodes) ?? changes;
