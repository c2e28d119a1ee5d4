/** Wires of the overview: their paths, computed once for each position of their ends. */

import { type Edge, type Node as FlowNode, Position as Side } from "@xyflow/react";

import type { Position } from "../../graph/types";
import { laneOf, edgePath, pathThrough } from "../edgePath";
import { dataOf } from "../routedEdges";

interface Way {
  /** Nodes of this path; their objects keep their identity until one of them moves. */
  readonly source: FlowNode;
  readonly target: FlowNode;
  readonly path: Path2D;
  /** Points at which it touches its ports. */
  readonly ends: readonly Position[];
}

export interface PaintedWire {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly path: Path2D;
  readonly ends: readonly Position[];
  /** Color name of its type. */
  readonly type: string;
  readonly muted: boolean;
  readonly selected: boolean;
}

/** Distance at which the pointer hits a wire, in pixels of the document, as for wires with
 * elements. */
const REACH = 18;

export class EdgePaths {
  private known = new Map<string, Way>();
  private edges: readonly Edge[] = [];
  private ordered: readonly Edge[] = [];
  private painted: readonly PaintedWire[] = [];

  /** Return the wires by color, selected ones last. */
  get all(): readonly PaintedWire[] {
    return this.painted;
  }

  place(nodes: readonly FlowNode[], edges: readonly Edge[]): void {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    if (edges !== this.edges) this.ordered = [...edges].sort(byColour);
    this.edges = edges;
    const kept = new Map<string, Way>();
    this.painted = this.ordered.flatMap((edge): PaintedWire[] => {
      const way = this.way(edge, byId);
      if (!way) return [];
      kept.set(edge.id, way);
      const { colour, muted } = dataOf(edge);
      const selected = edge.selected ?? false;
      const { path, ends } = way;
      const { id, source: from, target: to } = edge;
      return [{ id, from, to, path, ends, type: colour, muted, selected }];
    });
    this.known = kept;
  }

  /** Return the wire at a point; `reach` in pixels of the document too. */
  at(context: CanvasRenderingContext2D, point: Position, reach: number): string | null {
    context.save();
    context.resetTransform();
    context.lineWidth = Math.max(REACH, reach);
    const hit = this.painted.findLast(({ path }) =>
      context.isPointInStroke(path, point.x, point.y),
    );
    context.restore();
    return hit?.id ?? null;
  }

  private way(edge: Edge, nodes: ReadonlyMap<string, FlowNode>): Way | null {
    const source = nodes.get(edge.source);
    const target = nodes.get(edge.target);
    const before = this.known.get(edge.id);
    if (before && before.source === source && before.target === target) return before;
    const from = endOf(source, edge.sourceHandle, 1);
    const to = endOf(target, edge.targetHandle, 0);
    if (!source || !target || !from || !to) return null;
    const ends = { sourceX: from.x, sourceY: from.y, targetX: to.x, targetY: to.y };
    const sides = { sourcePosition: Side.Right, targetPosition: Side.Left };
    const { waypoints } = dataOf(edge);
    const text =
      waypoints.length > 0
        ? pathThrough([from, ...waypoints, to])
        : edgePath({ ...ends, ...sides }, laneOf(edge.id));
    return { source, target, path: new Path2D(text), ends: [from, to] };
  }
}

function byColour(one: Edge, other: Edge): number {
  const chosen = Number(one.selected ?? false) - Number(other.selected ?? false);
  if (chosen !== 0) return chosen;
  const [left, right] = [dataOf(one).colour, dataOf(other).colour];
  return left < right ? -1 : Number(left > right);
}

/** Point at which a wire touches a port: its left (0) or right (1) edge. */
function endOf(
  node: FlowNode | undefined,
  id: string | null | undefined,
  across: 0 | 1,
): Position | null {
  const handle = node?.handles?.find((handle) => handle.id === id);
  if (!node || !handle) return null;
  const [width, height] = [handle.width ?? 0, handle.height ?? 0];
  return {
    x: node.position.x + handle.x + across * width,
    y: node.position.y + handle.y + height / 2,
  };
}
