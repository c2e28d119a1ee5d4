import type { ReactFlowState } from "@xyflow/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";

import { holds, partSeen } from "../src/canvas/overview/viewportBounds";
import { placedNode, sameSeen } from "../src/canvas/overview/nodeAppearance";
import { hyphenated } from "../src/canvas/hyphens";
import { wrapped } from "../src/canvas/overview/nodeSprites";
import { type LevelOfDetail, REST, selectLevelOfDetail } from "../src/canvas/levelOfDetail";
import { flowNodes } from "../src/canvas/flowElements";
import { setCollapsed } from "../src/graph/edits";
import { followZoom } from "../src/canvas/useLevelOfDetail";
import { initialState } from "../src/store/initialState";
import { CATALOG, pipeline } from "./cases";

function flowOf(count: number, zoom: number, width = 1000): ReactFlowState {
  const nodes = Array.from({ length: count }, () => ({}));
  return { nodes, transform: [0, 0, zoom], width, height: 800 } as unknown as ReactFlowState;
}

describe("level of detail", () => {
  it("depends on the zoom and the number of nodes", () => {
    expect(selectLevelOfDetail(flowOf(20, 1))).toBe("near");
    expect(selectLevelOfDetail(flowOf(20, 0.3))).toBe("far");
    expect(selectLevelOfDetail(flowOf(500, 0.3))).toBe("overview");
    expect(selectLevelOfDetail(flowOf(500, 0.4))).toBe("near");
    expect(selectLevelOfDetail(flowOf(500, 0.4, 6000))).toBe("overview");
  });
});

describe("level of detail of a canvas", () => {
  afterEach(() => vi.useRealTimers());

  function followed(count: number, zoom: number) {
    vi.useFakeTimers();
    const flow = createStore(() => flowOf(count, zoom));
    const detail = createStore<LevelOfDetail>(() => "far");
    const reports: boolean[] = [];
    const stop = followZoom(flow, detail, (zooming) => reports.push(zooming));
    const zoomTo = (next: number): void => flow.setState({ transform: [0, 0, next] });
    return { detail, reports, stop, zoomTo };
  }

  it("leaves the overview when the zoom rests, and returns to it at once", () => {
    const { detail, reports, zoomTo } = followed(500, 0.3);
    expect(detail.getState()).toBe("overview");
    zoomTo(0.5);
    vi.advanceTimersByTime(REST - 1);
    zoomTo(0.6);
    vi.advanceTimersByTime(REST - 1);
    expect(detail.getState()).toBe("overview");
    vi.advanceTimersByTime(1);
    expect(detail.getState()).toBe("near");
    zoomTo(0.3);
    expect(detail.getState()).toBe("overview");
    expect(reports).toEqual([true, false, true]);
  });

  it("does not report zooming for few nodes, which stay sharp", () => {
    const { reports, zoomTo } = followed(20, 0.3);
    zoomTo(0.5);
    vi.advanceTimersByTime(REST);
    expect(reports).toEqual([false]);
  });

  it("does not change after the end", () => {
    const { detail, stop, zoomTo } = followed(500, 0.3);
    zoomTo(0.5);
    stop();
    vi.advanceTimersByTime(REST);
    zoomTo(0.6);
    expect(detail.getState()).toBe("overview");
  });
});

describe("titles in the overview", () => {
  const widthOf = (text: string): number => text.length;

  it("are wrapped between words", () => {
    expect(wrapped("Apply Image Transformation", 14, 3, widthOf)).toEqual([
      "Apply Image",
      "Transformation",
    ]);
  });

  it("end in an ellipsis if they are truncated", () => {
    expect(wrapped("one two three four", 7, 1, widthOf)).toEqual(["one tw…"]);
    expect(wrapped("abcdefghij", 6, 2, widthOf)).toEqual(["abcde…"]);
  });

  it("divide a word that does not fit between syllables, with a hyphen", () => {
    expect(wrapped("Tune Model Hyperparameters", 11, 4, widthOf)).toEqual([
      "Tune Model",
      "Hyperpara-",
      "meters",
    ]);
    expect(hyphenated("Apply Image Transformation")).toBe(
      "Apply Image Trans\u00adfor\u00adma\u00adtion",
    );
    expect(hyphenated("Brigade 3101")).toBe("Brigade 3101");
  });
});

describe("appearance of nodes", () => {
  it("is shared by nodes that look the same, and follows the run", () => {
    const state = initialState({
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
    const title = { ...state, document: setCollapsed(state.document, [flow.id], true) };
    const bar = flowNodes({ ...scene, document: title.document }).find(({ id }) => id === flow.id);
    const collapsed = placedNode(bar ?? flow, title);
    expect(collapsed?.look).toMatchObject({ collapsed: true, height: 38 });
    expect(collapsed?.key).not.toBe(before?.key);
    expect(sameSeen(state, { ...state })).toBe(true);
  });
});

describe("a painted area that moves with the view", () => {
  const size = { width: 100, height: 100 };
  const graph = { x: 0, y: 0, width: 80, height: 80 };
  const painted = partSeen(null, { x: 0, y: 0, zoom: 1 }, size);

  it("is sufficient while no other part of the pipeline comes into view", () => {
    const further = { x: 30, y: 10, zoom: 1 };
    expect(holds(painted, partSeen(graph, further, size))).toBe(true);
    expect(holds(painted, partSeen(graph, { x: 0, y: 0, zoom: 3 }, size))).toBe(true);
    expect(holds(painted, partSeen(graph, { x: 500, y: 0, zoom: 1 }, size))).toBe(true);
  });

  it("is not sufficient if the pipeline continues outside", () => {
    const wide = { ...graph, width: 300 };
    expect(holds(painted, partSeen(wide, { x: -30, y: 0, zoom: 1 }, size))).toBe(false);
    expect(holds(painted, partSeen(wide, { x: 0, y: 0, zoom: 0.5 }, size))).toBe(false);
  });
});
