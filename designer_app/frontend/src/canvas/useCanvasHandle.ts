/** Handle of the canvas for commands: fit, zoom, pointer, sizes. */

import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

import { groupOf } from "../graph/annotations";
import { type Box, nodeSize, portPlaceOn } from "../graph/layout/geometry";
import { findNode } from "../graph/lookup";
import type { Endpoint, Position, Size } from "../graph/types";
import type { Viewport } from "../store/types";
import { useEditor, useView } from "../view/context";
import { depthOf } from "./clearOfNotice";
import { BELOW_PATH, hasPreviews, reservedNode, wholeViewport } from "./initialViewport";
import { boxOf } from "./routedEdges";
import { FAULT_CARD, SHORT_CARD, heightAbove, revealing, widthBeside } from "./revealing";
import { flowNodes, groupName } from "./flowElements";
import { refuse } from "./refusal";
import { routedNow } from "./useFlow";
import { focusIn } from "./useFocus";
import type { AnimatedMove } from "./useAnimatedMove";

const NO_CARD: Size = { width: 0, height: 0 };

export function useCanvasHandle(frame: RefObject<HTMLElement | null>, glide: AnimatedMove): void {
  const editor = useEditor();
  const view = useView();
  const flow = useReactFlow();
  useEffect(() => {
    let pointer: { x: number; y: number } | null = null;
    const follow = (event: PointerEvent): void => {
      pointer = { x: event.clientX, y: event.clientY };
    };
    window.addEventListener("pointermove", follow, { passive: true });
    const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180;
    let goal = { view: flow.getViewport(), until: 0 };
    const go = (to: Viewport): void => {
      goal = { view: to, until: performance.now() + duration };
      void flow.setViewport(to, { duration });
    };
    /** The current viewport, or the target of a running animation: the next animation starts
     * there. */
    const heading = (): Viewport =>
      performance.now() < goal.until ? goal.view : flow.getViewport();
    const rectangle = (): DOMRect | undefined => frame.current?.getBoundingClientRect();
    const room = (): Size => ({
      width: widthSeen(frame.current),
      height: frame.current?.clientHeight ?? 0,
    });
    const detach = editor.attachCanvas({
      fitView: (nodes) => {
        const size = room();
        if (isEmpty(size)) return;
        // positions in the document, whatever is still being animated
        const all = flowNodes({ ...editor.state, moved: new Map() });
        const wanted = nodes && new Set(nodes.map((id) => shownAs(editor, id)));
        const shown = wanted ? all.filter(({ id }) => wanted.has(id)) : all;
        if (shown.length === 0) return;
        const edges = routedNow(all, editor.state);
        const depth = depthCovered(frame.current);
        go(wholeViewport({ nodes: shown, edges }, size, hasPreviews(editor.state), depth));
      },
      reveal: (id, least = 0, below = cardBelow(editor, id)) => {
        const card = below.height && frame.current?.closest(".pd-run") ? SHORT_CARD : below;
        // next to the card of a failure an open lesson folds: see LessonPane
        const size = card.height ? room() : { ...room(), height: heightSeen(frame.current) };
        const nodes = flowNodes({ ...editor.state, moved: new Map() });
        const node = nodes.find((shape) => shape.id === shownAs(editor, id));
        if (isEmpty(size) || !node) return undefined;
        const from = heading();
        const box = boxOf(node);
        const depth = depthCovered(frame.current);
        const top = editor.state.place ? BELOW_PATH : depth || undefined;
        const around = withCard(box, card, Math.max(least, from.zoom));
        const view = revealing(around, from, size, least, top);
        if (!view) return undefined;
        if (least === 0 || card.height === 0 || from.zoom > 1) {
          go(view);
          return view;
        }
        // everything instead of nodes cut by the toolbar, where that is as readable
        const reserved = reservedNode(withCard(box, card, least));
        const scene = { nodes: [...nodes, reserved], edges: routedNow(nodes, editor.state) };
        const whole = wholeViewport(scene, size, hasPreviews(editor.state), depth);
        const to = whole.zoom < least ? view : whole;
        go(to);
        return to;
      },
      show: go,
      glideFrom: glide,
      view: () => flow.getViewport(),
      zoomBy: (factor) => {
        if (!isEmpty(room())) void flow.zoomTo(flow.getZoom() * factor, { duration });
      },
      refuse: (from, to) =>
        refuse(editor, view, [from, to], flow.flowToScreenPosition(placeOf(editor, to))),
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
      room,
      focus: () => {
        if (frame.current) focusIn(frame.current, editor.state.selection.nodes[0]);
      },
    });
    return () => {
      window.removeEventListener("pointermove", follow);
      detach();
    };
  }, [editor, view, flow, frame, glide]);
}

/** True if the canvas has no visible area: an animation over zero pixels would end at NaN. */
function isEmpty({ width, height }: Size): boolean {
  return width === 0 || height === 0;
}

function widthSeen(canvas: HTMLElement | null): number {
  if (!canvas) return 0;
  const pane = canvas.closest(".pd-shell")?.querySelector(".pd-settings");
  return widthBeside(canvas.getBoundingClientRect(), pane?.getBoundingClientRect());
}

function heightSeen(canvas: HTMLElement | null): number {
  if (!canvas) return 0;
  const steps = canvas.closest(".pd-shell")?.querySelector(".pd-lesson");
  return heightAbove(canvas.getBoundingClientRect(), steps?.getBoundingClientRect());
}

/** Height of the part of the canvas that the notice at its upper edge covers. */
function depthCovered(canvas: HTMLElement | null): number {
  const banner = canvas?.closest(".pd-shell")?.querySelector(".pd-banner");
  if (!canvas || !banner) return 0;
  return depthOf(canvas.getBoundingClientRect(), banner.getBoundingClientRect());
}

/** Size of the card below a failed node, which is revealed with the node. */
function cardBelow(editor: ReturnType<typeof useEditor>, id: string): Size {
  return editor.state.run?.steps[id]?.status === "failed" ? FAULT_CARD : NO_CARD;
}

/** Return a box with the card below it, whose size is in pixels of the screen. */
function withCard(box: Box, card: Size, zoom: number): Box {
  const width = Math.max(box.width, card.width / zoom);
  return { ...box, width, height: box.height + card.height / zoom };
}

/** Element that represents a node: the box of its group if that is collapsed. */
function shownAs(editor: ReturnType<typeof useEditor>, id: string): string {
  const group = groupOf(editor.state.document, id);
  return group?.collapsed ? groupName(group.id) : id;
}

/** Position of an input, in pixels of the document. */
function placeOf(editor: ReturnType<typeof useEditor>, { node: id, port }: Endpoint): Position {
  const { document, catalog } = editor.state;
  const node = findNode(document, id);
  if (!node) return { x: 0, y: 0 };
  const module = catalog.byId.get(node.module);
  const index = module?.inputs.findIndex((input) => input.id === port) ?? 0;
  const { x, y } = portPlaceOn(node, module, "input", index);
  return { x: x + node.position.x, y: y + node.position.y };
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
