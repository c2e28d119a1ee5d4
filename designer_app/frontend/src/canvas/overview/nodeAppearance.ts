/** Look of a node from far away; nodes that look the same share one sprite. */

import type { Node as FlowNode } from "@xyflow/react";

import { moduleColour } from "../../graph/catalog";
import { findNode } from "../../graph/lookup";
import { stepAt } from "../../graph/paths";
import { isOpenInput } from "../../graph/problems";
import { titleOf } from "../../graph/search";
import type { EditorState } from "../../store/types";

export interface NodeAppearance {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Color name of the module's type. */
  readonly type: string;
  /** Status of the step, or "fault" if the node cannot run. */
  readonly status: string | undefined;
  readonly selected: boolean;
  readonly muted: boolean;
  /** True for a title bar, whose title is smaller. */
  readonly collapsed: boolean;
}

/** Node with its position, in pixels of the document. */
export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly look: NodeAppearance;
  /** The same for nodes that look the same. */
  readonly key: string;
}

/** State that determines the appearance. */
export type Seen = Pick<EditorState, "document" | "catalog" | "run" | "problemsByNode">;

/** Return true if every node looks as before, independently of positions. */
export function sameSeen(before: Seen, now: Seen): boolean {
  return (
    before.document === now.document &&
    before.catalog === now.catalog &&
    before.run?.steps === now.run?.steps &&
    before.problemsByNode === now.problemsByNode
  );
}

export function placedNode(flow: FlowNode, state: Seen): Placed | null {
  const node = findNode(state.document, flow.id);
  if (!node || flow.type !== "module") return null;
  const module = state.catalog.byId.get(node.module);
  const faulty = state.problemsByNode[node.id]?.some(
    (problem) => problem.severity === "error" && !isOpenInput(problem),
  );
  const look: NodeAppearance = {
    title: titleOf(node, state.catalog),
    width: flow.width ?? 0,
    height: flow.height ?? 0,
    type: node.color ?? (module ? moduleColour(state.catalog, module) : "grey"),
    status: faulty ? "fault" : state.run ? stepAt(state.run.steps, node.id)?.status : undefined,
    selected: flow.selected ?? false,
    muted: node.disabled,
    collapsed: node.collapsed ?? false,
  };
  return { id: node.id, ...flow.position, look, key: Object.values(look).join("|") };
}
