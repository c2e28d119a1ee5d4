/** When the crowd is painted: once a frame, and only where something changed or the view moved. */

import type { Edge, Node as FlowNode, ReactFlowState } from "@xyflow/react";
import type { StoreApi } from "zustand";

import type { Position } from "../../graph/types";
import type { EditorState } from "../../store/types";
import { sameSeen } from "./looks";
import { CrowdPainter } from "./painter";
import { paletteOf } from "./palette";

type FlowStore = Pick<StoreApi<ReactFlowState>, "getState" | "subscribe">;

/** Without a change of the zoom for so long it is at rest, in milliseconds. */
const REST = 140;
const POINTER_REACH = 8;

export class CrowdSurface {
  private readonly painter: CrowdPainter;
  private nodes: readonly FlowNode[] = [];
  private edges: readonly Edge[] = [];
  private changed = true;
  private zoom: number;
  private frame = 0;
  private rest = 0;
  private readonly stops: (() => void)[] = [];

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly root: HTMLElement,
    private readonly flow: FlowStore,
    private readonly editor: StoreApi<EditorState>,
  ) {
    this.painter = new CrowdPainter(context, paletteOf(root));
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

  /** The wire at a point of the window. */
  wireAt(point: Position): string | null {
    const [left, top, zoom] = this.flow.getState().transform;
    const box = this.context.canvas.getBoundingClientRect();
    const at = { x: (point.x - box.x - left) / zoom, y: (point.y - box.y - top) / zoom };
    return this.painter.wireAt(at, POINTER_REACH / zoom);
  }

  close(): void {
    for (const stop of this.stops) stop();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.frame = -1;
  }

  private recolour(): void {
    this.painter.recolour(paletteOf(this.root));
    this.schedule();
  }

  private stale(): void {
    this.changed = true;
    this.schedule();
  }

  private moved(now: ReactFlowState, before: ReactFlowState): void {
    const same = now.transform === before.transform && now.width === before.width;
    if (!same || now.height !== before.height) this.schedule();
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
    const complete = this.painter.paint({ x, y, zoom }, ratio, resting);
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
