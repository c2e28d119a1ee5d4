import { describe, expect, it } from "vitest";

import { cardShift } from "../src/canvas/cardShift";
import { PREVIEWED } from "../src/canvas/flowElements";
import * as viewport from "../src/canvas/initialViewport";
import { between } from "../src/canvas/useAnimatedMove";
import { moveNodes } from "../src/graph/edits";
import { NODE_WIDTH, portPlace } from "../src/graph/layout/geometry";
import { parseInline, parseMarkdown } from "../src/graph/markdown";
import type { Size } from "../src/graph/types";
import { makeRoom } from "../src/graph/layout/makeRoom";
import { risingShare } from "../src/view/risingShare";
import { pipeline } from "./cases";
import { BESIDE, PREVIEW_DEPTH, TAB, tabWidth } from "../src/graph/layout/geometry";

type Nodes = Parameters<typeof viewport.wholeViewport>[0]["nodes"];

const wholeViewport = (nodes: Nodes, size: Size, previews?: boolean) =>
  viewport.wholeViewport({ nodes, edges: [] }, size, previews);
const initialViewport = (nodes: Nodes, size: Size) =>
  viewport.initialViewport({ nodes, edges: [] }, size);

describe("Markdown of notes", () => {
  it("keeps HTML as text", () => {
    expect(parseInline("<img src=x onerror=alert(1)>")).toEqual([
      { kind: "text", text: "<img src=x onerror=alert(1)>" },
    ]);
  });

  it("keeps links to the web only", () => {
    expect(parseInline("[x](javascript:alert(1)) [y](https://example.org)")).toEqual([
      { kind: "text", text: "[x](javascript:alert(1)" },
      { kind: "text", text: ") " },
      { kind: "link", text: "y", href: "https://example.org" },
    ]);
  });

  it("supports titles, lists, code and paragraphs", () => {
    const kinds = parseMarkdown("# A\n\n- b\n- c\n\n1. d\n\n```\n<e>\n```\nf").map(
      (block) => block.kind,
    );
    expect(kinds).toEqual(["heading", "list", "list", "code", "paragraph"]);
  });

  it("accepts any text", () => {
    for (const text of ["", "```", "*", "- ", "#", "[", "**a", "`".repeat(999)]) {
      expect(() => parseMarkdown(text)).not.toThrow();
    }
  });
});

describe("the size of nodes", () => {
  it("includes the ports, one row each", () => {
    expect(portPlace("input", 1).y - portPlace("input", 0).y).toBe(22);
    expect(portPlace("input", 0).x).toBe(0);
  });
});

describe("room for an inserted node", () => {
  it("moves what follows to the right, and nothing else", () => {
    const start = pipeline(
      ["constant", "whole", "factorial"],
      ["constant.output -> whole.a", "whole.output -> factorial.n"],
    );
    const document = moveNodes(
      start,
      new Map([
        ["whole", { x: 100, y: 0 }],
        ["factorial", { x: 250, y: 0 }],
      ]),
    );
    const [first, added, last] = makeRoom(document, "whole").nodes;
    const width = NODE_WIDTH;
    expect(first?.position).toEqual({ x: 0, y: 0 });
    expect(added?.position.x).toBeGreaterThan(width);
    expect(last?.position.x).toBeGreaterThan((added?.position.x ?? 0) + width);
  });
});

describe("animated moves of nodes", () => {
  const from = new Map([["a", { x: 0, y: 100 }]]);
  const goalOf = (): { x: number; y: number } => ({ x: 200, y: 0 });

  it("start at the old and end at the new position, fast at first", () => {
    expect(between(from, goalOf, 0).get("a")).toEqual({ x: 0, y: 100 });
    expect(between(from, goalOf, 1).get("a")).toEqual({ x: 200, y: 0 });
    expect(between(from, goalOf, 0.5).get("a")?.x).toBeGreaterThan(100);
  });

  it("stay if the node is removed meanwhile", () => {
    expect(between(from, () => undefined, 0.5).get("a")).toEqual({ x: 0, y: 100 });
  });
});

describe("the view of a whole pipeline", () => {
  const node = (id: string, x: number, y: number) => {
    return { id, position: { x, y }, width: 200, height: 80, data: {} };
  };

  it("includes the wires beyond the outer nodes, which lead back", () => {
    const { x, zoom } = wholeViewport([node("a", 0, 0), node("b", 800, 0)], {
      width: 500,
      height: 900,
    });
    expect(x).toBeGreaterThan(BESIDE * zoom);
    expect(1000 * zoom + x).toBeLessThan(500 - BESIDE * zoom);
  });

  it("includes the tabs of split wires", () => {
    const portal = "Convert · images";
    const edges = [{ id: "back", source: "b", target: "a", data: { portal } }];
    const nodes = [node("a", 0, 0), node("b", 800, 0)];
    const { x, zoom } = viewport.wholeViewport({ nodes, edges }, { width: 500, height: 900 });
    const reach = TAB.stub + tabWidth(portal);
    expect(x).toBeGreaterThan(reach * zoom);
    expect(1000 * zoom + x).toBeLessThan(500 - reach * zoom);
  });

  it("starts below the notice that covers the upper edge", () => {
    const size = { width: 600, height: 500 };
    const scene = { nodes: [node("a", 0, 0), node("b", 0, 900)], edges: [] };
    expect(viewport.wholeViewport(scene, size, false, 56).y).toBeGreaterThanOrEqual(56);
    expect(viewport.wholeViewport(scene, size).y).toBeLessThan(56);
  });

  it("has room for the card below a node", () => {
    const size = { width: 900, height: 700 };
    const box = { x: 0, y: 200, width: 276, height: 80 + 340 };
    const nodes = [node("a", 0, 0), node("b", 0, 200), viewport.reservedNode(box)];
    const { y, zoom } = viewport.wholeViewport({ nodes, edges: [] }, size);
    expect(y).toBeGreaterThanOrEqual(24);
    expect(620 * zoom + y).toBeLessThanOrEqual(700 - 24);
  });

  it("starts below the wires that lead back, inside a sub-pipeline", () => {
    const [a, b] = [node("a", 0, 0), node("b", 0, 900)];
    const inside = wholeViewport([{ ...a, type: "boundary" }, b], { width: 900, height: 600 });
    expect(inside.y).toBeGreaterThanOrEqual(56);
    expect(wholeViewport([a, b], { width: 900, height: 600 }).y).toBeLessThan(56);
  });

  it("keeps nodes clear of the zoom bar, and reserves no space without nodes", () => {
    const size = { width: 600, height: 300 };
    const bottomOf = (view: { y: number; zoom: number }) => 480 * view.zoom + view.y;
    const under = wholeViewport([node("a", 0, 400), node("b", 0, 0), node("c", 900, 0)], size);
    expect(bottomOf(under)).toBeLessThanOrEqual(300 - 56);
    const beside = wholeViewport([node("a", 450, 400), node("b", 0, 0), node("c", 900, 0)], size);
    expect(beside.zoom).toBeGreaterThan(under.zoom);
  });

  it("keeps previews clear of the zoom bar, and moves next to it if that is larger", () => {
    const size = { width: 1000, height: 360 };
    const pictured = { ...node("a", 0, 320), data: PREVIEWED };
    const nodes = [pictured, node("b", 0, 0), node("c", 700, 0)];
    const deepest = 320 + 80 + PREVIEW_DEPTH;
    const alone = wholeViewport(nodes, size);
    expect(deepest * alone.zoom + alone.y).toBeGreaterThan(360 - 56);
    const { x, y, zoom } = wholeViewport(nodes, size, true);
    expect(x).toBeGreaterThan(210); // width of the bar and the space before it
    expect(deepest * zoom + y).toBeLessThanOrEqual(360);
    const narrow = { width: 500, height: 360 };
    const above = wholeViewport(nodes, narrow, true);
    expect(deepest * above.zoom + above.y).toBeLessThanOrEqual(360 - 56);
  });
});

describe("the initial view of a pipeline", () => {
  const phone = { width: 350, height: 600 };
  const node = (id: string, x: number, y: number) => {
    return { id, position: { x, y }, width: 200, height: 80, data: {} };
  };
  const row = [node("c", 1200, 100), node("b", 600, 0), node("a", 0, 100), node("d", 0, 200)];
  const seen = (view: { x: number; y: number; zoom: number }, x: number, y: number) => {
    return { x: x * view.zoom + view.x, y: y * view.zoom + view.y };
  };

  it("is readable on a phone, from the first node", () => {
    const view = initialViewport(row, phone);
    expect(view.zoom).toBe(0.7);
    expect(wholeViewport(row, phone).zoom).toBeLessThan(0.4);
    expect(seen(view, 0, 0).x).toBeGreaterThan(10);
    expect(seen(view, 200, 0).x).toBeLessThan(phone.width);
    const [top, bottom] = [seen(view, 0, 0).y, phone.height - seen(view, 0, 280).y];
    expect(top).toBeCloseTo(bottom); // all rows fit
  });

  it("starts at the upper one of the first nodes if not all rows fit", () => {
    const high = [...row, node("e", 300, 2000)];
    expect(seen(initialViewport(high, phone), 0, 100).y).toBeCloseTo(56);
  });

  it("shows everything if it is readable, or if there is more space", () => {
    const small = [node("a", 0, 0), node("b", 0, 200)];
    expect(initialViewport(small, phone)).toEqual(wholeViewport(small, phone));
    const desk = { width: 900, height: 600 };
    expect(initialViewport(row, desk)).toEqual(wholeViewport(row, desk));
    expect(initialViewport([], phone)).toEqual({ x: 0, y: 0, zoom: 1 });
  });
});

describe("progress of a run", () => {
  it("never decreases within a run, and restarts with the next one", () => {
    const rising = risingShare();
    const shown = [0.42, 0.28, 0.57].map((share) => rising("first", share));
    expect(shown).toEqual([0.42, 0.42, 0.57]);
    expect([rising("second", 0.1), rising("second", 0.2)]).toEqual([0.1, 0.2]);
  });
});

describe("the card below a failed node", () => {
  it("stays in the canvas, below its node", () => {
    expect(cardShift(40, 1200, 0.9)).toBe(0);
    expect(cardShift(200, 390, 0.27)).toBe(98); // 12 pixels remain at the right edge
    expect(cardShift(380, 390, 0.27)).toBe(236); // it leaves the canvas with its node
    expect(cardShift(60, 240, 1)).toBe(48); // the start of the text has priority
    expect(cardShift(800, 1200, 2)).toBe(164); // as large as it is drawn
  });
});
