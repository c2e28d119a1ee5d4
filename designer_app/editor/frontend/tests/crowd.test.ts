import type { ReactFlowState } from "@xyflow/react";
import { describe, expect, it } from "vitest";

import { placedNode, sameSeen } from "../src/canvas/crowd/looks";
import { wrapped } from "../src/canvas/crowd/sprites";
import { selectDetail } from "../src/canvas/detail";
import { flowNodes } from "../src/canvas/flow";
import { firstState } from "../src/store/first";
import { CATALOG, pipeline } from "./cases";

function flowOf(count: number, zoom: number, width = 1000): ReactFlowState {
  const nodes = Array.from({ length: count }, () => ({}));
  return { nodes, transform: [0, 0, zoom], width, height: 800 } as unknown as ReactFlowState;
}

describe("how much of a node is drawn", () => {
  it("depends on the zoom, and on how many there are", () => {
    expect(selectDetail(flowOf(20, 1))).toBe("near");
    expect(selectDetail(flowOf(20, 0.3))).toBe("far");
    expect(selectDetail(flowOf(500, 0.3))).toBe("crowd");
    expect(selectDetail(flowOf(500, 0.4))).toBe("near");
    expect(selectDetail(flowOf(500, 0.4, 6000))).toBe("crowd");
  });
});

describe("titles of a crowd", () => {
  const widthOf = (text: string): number => text.length;

  it("are wrapped at words", () => {
    expect(wrapped("Apply Image Transformation", 14, 3, widthOf)).toEqual([
      "Apply Image",
      "Transformation",
    ]);
  });

  it("end in dots where something is left out", () => {
    expect(wrapped("one two three four", 7, 1, widthOf)).toEqual(["one tw…"]);
    expect(wrapped("incomprehensibilities", 6, 2, widthOf)).toEqual(["incom…"]);
  });
});

describe("looks", () => {
  it("are shared by nodes that look the same and follow the run", () => {
    const state = firstState({
      catalog: CATALOG,
      document: pipeline(["start", "finish"]),
      revision: "1",
    });
    const scene = { ...state, moved: new Map() };
    const [flow] = flowNodes(scene).filter(({ type }) => type === "module");
    if (!flow) throw new Error("The pipeline has no node.");
    const before = placedNode(flow, state);
    expect(placedNode({ ...flow, position: { x: 9, y: 9 } }, state)?.key).toBe(before?.key);
    const problem = { severity: "error" } as never;
    const faulty = { ...state, problemsByNode: { [flow.id]: [problem] } };
    expect(placedNode(flow, faulty)?.look.status).toBe("fault");
    expect(sameSeen(state, faulty)).toBe(false);
    expect(sameSeen(state, { ...state })).toBe(true);
  });
});
