/** Paints a crowd of nodes and their wires, as they are seen from far away. */

import type { Edge, Node as FlowNode } from "@xyflow/react";

import type { Position } from "../../graph/types";
import type { Viewport } from "../../store/types";
import { bandOf, type Placed, placedNode, sameSeen, type Seen } from "./looks";
import type { Palette } from "./palette";
import { Sprites } from "./sprites";
import { Wires } from "./wires";

const MUTED = 0.45;
/** Of the end of a selected wire, which a hand can take, in pixels of the screen. */
const KNOB = 3.5;

export class CrowdPainter {
  private nodes: readonly Placed[] = [];
  private known = new WeakMap<FlowNode, Placed>();
  private state: Seen | null = null;
  private readonly wires = new Wires();
  private sprites: Sprites;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private palette: Palette,
  ) {
    this.sprites = new Sprites(palette);
  }

  /** Everything is painted anew in these colours. */
  recolour(palette: Palette): void {
    this.palette = palette;
    this.sprites = new Sprites(palette);
  }

  /** Takes over what there is and where; painted by the next `paint`. */
  place(nodes: readonly FlowNode[], edges: readonly Edge[], state: Seen): void {
    if (this.state === null || !sameSeen(this.state, state)) this.known = new WeakMap();
    this.state = state;
    this.nodes = nodes.flatMap((node) => {
      const placed = this.known.get(node) ?? placedNode(node, state);
      if (!placed) return [];
      this.known.set(node, placed);
      return [placed];
    });
    this.wires.place(nodes, edges);
  }

  /** False where some nodes are plain boxes still, so that another frame is wanted. */
  paint(view: Viewport, ratio: number, resting: boolean): boolean {
    const { context } = this;
    const { width, height } = context.canvas;
    context.resetTransform();
    context.clearRect(0, 0, width, height);
    const scale = view.zoom * ratio;
    const [left, top] = [view.x * ratio, view.y * ratio];
    context.setTransform(scale, 0, 0, scale, left, top);
    this.paintWires(scale);
    context.resetTransform();
    this.sprites.begin(scale, resting);
    let complete = true;
    for (const node of this.nodes) {
      const [x, y] = [Math.round(node.x * scale + left), Math.round(node.y * scale + top)];
      const [across, down] = [node.look.width * scale, node.look.height * scale];
      if (x > width || y > height || x + across < 0 || y + down < 0) continue;
      complete = this.paintNode(node, x, y, Math.round(across), Math.round(down)) && complete;
    }
    context.setTransform(scale, 0, 0, scale, left, top);
    this.paintKnobs(ratio / scale);
    return complete;
  }

  /** The wire at a point of the document. */
  wireAt(point: Position, reach: number): string | null {
    return this.wires.at(this.context, point, reach);
  }

  private paintNode(node: Placed, x: number, y: number, across: number, down: number): boolean {
    const picture = this.sprites.of(node);
    if (!picture) {
      this.context.fillStyle = bandOf(node.look, this.palette);
      this.context.fillRect(x, y, across, down);
      return false;
    }
    const same = picture.width === across && picture.height === down;
    if (same) this.context.drawImage(picture, x, y);
    else this.context.drawImage(picture, x, y, across, down);
    return true;
  }

  private paintWires(scale: number): void {
    const { context, palette } = this;
    for (const wire of this.wires.all) {
      context.strokeStyle = palette.types.get(wire.type) ?? palette["line-strong"];
      context.globalAlpha = wire.muted ? MUTED : 1;
      context.lineWidth = Math.max(wire.selected ? 6 : 2, (wire.selected ? 2 : 1) / scale);
      context.stroke(wire.path);
    }
    context.globalAlpha = 1;
  }

  /** `pixel`: one of the screen, in pixels of the document. */
  private paintKnobs(pixel: number): void {
    const { context, palette } = this;
    context.fillStyle = palette.panel;
    context.lineWidth = 2 * pixel;
    for (const wire of this.wires.all.filter(({ selected }) => selected)) {
      context.strokeStyle = palette.types.get(wire.type) ?? palette["line-strong"];
      for (const { x, y } of wire.ends) {
        context.beginPath();
        context.arc(x, y, KNOB * pixel, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
      }
    }
  }
}
