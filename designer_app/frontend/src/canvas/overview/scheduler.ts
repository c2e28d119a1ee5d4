/** Scheduling of the overview's paints: once a frame, and only after a change or while the view
 * moves. */

import type { Edge, Node as FlowNode, ReactFlowState } from "@xyflow/react";
import type { StoreApi } from "zustand";

import type { Position } from "../../graph/types";
import type { EditorState, Viewport } from "../../store/types";
import { REST } from "../levelOfDetail";
import { holds, partSeen } from "./viewportBounds";
import { sameSeen } from "./nodeAppearance";
import { OverviewPainter } from "./painter";
import { themeColours } from "./themeColours";

type FlowStore = Pick<StoreApi<ReactFlowState>, "getState" | "subscribe">;

/** Interval in milliseconds at which the picture is repainted while the view moves; in between
 * it moves with the view. */
const PAINT_EVERY = 160;
const POINTER_REACH = 8;
/** Distance that a pointer may move in one step, in pixels of the screen. */
const NEAR = 24;

export class OverviewScheduler {
  private readonly painter: OverviewPainter;
  private nodes: readonly FlowNode[] = [];
  private edges: readonly Edge[] = [];
  private changed = true;
  private zoom: number;
  /** The view that was painted last, and when. */
  private painted: Viewport | null = null;
  private paintedAt = 0;
  private frame = 0;
  private rest = 0;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly root: HTMLElement,
    private readonly flow: FlowStore,
    private readonly editor: StoreApi<EditorState>,
  ) {
    this.painter = new OverviewPainter(context, themeColours(root));
    this.zoom = flow.getState().transform[2];
    this.stops.push(flow.subscribe((now, before) => this.moved(now, before)));
    this.stops.push(editor.subscribe((now, before) => this.edited(now, before)));
    const themes = new MutationObserver(() => this.recolour());
    themes.observe(root, { attributes: true, attributeFilter: ["data-theme", "style"] });
    this.stops.push(() => themes.disconnect());
    void document.fonts.ready.then(() => this.recolour());
  }

  show(nodes: readonly FlowNode[], edges: readonly Edge[]): void {
    [this.nodes, this.edges] = [nodes, edges];
    this.stale();
  }

  /** The nodes about a point of the window. */
  nodesNear(point: Position): readonly string[] {
    const { at, zoom } = this.placeOf(point);
    return this.painter.nodesNear(at, NEAR / zoom);
  }

  /** The wire at a point of the window. */
  wireAt(point: Position): string | null {
    const { at, zoom } = this.placeOf(point);
    return this.painter.wireAt(at, POINTER_REACH / zoom);
  }

  /** A point of the window in the document, and the zoom. */
  private placeOf(point: Position): { readonly at: Position; readonly zoom: number } {
    const [left, top, zoom] = this.flow.getState().transform;
    const box = (this.context.canvas.parentElement ?? this.root).getBoundingClientRect();
    const at = { x: (point.x - box.x - left) / zoom, y: (point.y - box.y - top) / zoom };
    return { at, zoom };
  }

  close(): void {
    for (const stop of this.stops) stop();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.frame = -1;
  }

  private recolour(): void {
    this.painter.recolour(themeColours(this.root));
    this.schedule();
  }

  private stale(): void {
    this.changed = true;
    this.schedule();
  }

  private moved(now: ReactFlowState, before: ReactFlowState): void {
    const resized = now.width !== before.width || now.height !== before.height;
    if (resized) this.schedule();
    else if (now.transform !== before.transform) this.shift(now);
  }

  /** The picture goes with the view, as long as it shows all that is to be seen. */
  private shift({ transform, width, height }: ReactFlowState): void {
    const [x, y, zoom] = transform;
    const { painted } = this;
    const late = performance.now() - this.paintedAt > PAINT_EVERY;
    const seen = partSeen(this.painter.bounds ?? null, { x, y, zoom }, { width, height });
    if (!painted || late || !holds(partSeen(null, painted, { width, height }), seen)) {
      this.schedule();
      return;
    }
    const scale = zoom / painted.zoom;
    const [left, top] = [x - painted.x * scale, y - painted.y * scale];
    this.context.canvas.style.transform = `translate(${left}px, ${top}px) scale(${scale})`;
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.schedule(), REST);
  }

  private edited(now: EditorState, before: EditorState): void {
    if (!sameSeen(before, now)) this.stale();
  }

  private schedule(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    this.frame = 0;
    if (this.changed) this.painter.place(this.nodes, this.edges, this.editor.getState());
    this.changed = false;
    const { transform, width, height } = this.flow.getState();
    const [x, y, zoom] = transform;
    const resting = zoom === this.zoom;
    this.zoom = zoom;
    const ratio = devicePixelRatio;
    this.fit(Math.round(width * ratio), Math.round(height * ratio));
    this.painted = { x, y, zoom };
    this.paintedAt = performance.now();
    // never without one: another tree of layers would be made each time
    this.context.canvas.style.transform = "translate(0px, 0px) scale(1)";
    const complete = this.painter.paint(this.painted, ratio, resting);
    if (!complete) this.schedule();
    clearTimeout(this.rest);
    if (!resting) this.rest = window.setTimeout(() => this.schedule(), REST);
  }

  private fit(width: number, height: number): void {
    const { canvas } = this.context;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }
}
