/** Paints many nodes and their wires, as they are seen from far away. */

import type { Edge, Node as FlowNode } from "@xyflow/react";

import { type Box, boxAround } from "../../graph/layout/geometry";
import type { Position, Size } from "../../graph/types";
import type { Viewport } from "../../store/types";
import {
  type NodeAppearance,
  type Placed,
  placedNode,
  sameSeen,
  type Seen,
} from "./nodeAppearance";
import type { ThemeColours } from "./themeColours";
import { NodeSprites } from "./nodeSprites";
import { type PaintedWire, EdgePaths } from "./edgePaths";

const MUTED = 0.45;
/** More nodes that move at once are painted with all others. */
const MOST_MOVING = 40;
/** Radius of the handle at the end of a selected wire, in pixels of the screen. */
const KNOB = 3.5;

/** Scale, origin and size in pixels of the canvas. */
interface Frame extends Size {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** All that does not move, kept as a picture while something does. */
interface Still {
  readonly frame: Frame;
  readonly moving: ReadonlySet<string>;
  readonly picture: OffscreenCanvas;
}

export class OverviewPainter {
  /** Bounds of the nodes in the document; undefined without nodes. */
  bounds: Box | undefined = undefined;

  private nodes: readonly Placed[] = [];
  private known = new WeakMap<FlowNode, Placed>();
  private edges: readonly Edge[] = [];
  private state: Seen | null = null;
  private readonly wires = new EdgePaths();
  private moving: ReadonlySet<string> = new Set();
  private still: Still | null = null;
  private sprites: NodeSprites;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private palette: ThemeColours,
  ) {
    this.sprites = new NodeSprites(palette.nodes);
  }

  /** Repaint everything in these colors. */
  recolour(palette: ThemeColours): void {
    this.palette = palette;
    this.sprites = new NodeSprites(palette.nodes);
    this.still = null;
  }

  /** Take over elements and positions; painted by the next `paint`. */
  place(nodes: readonly FlowNode[], edges: readonly Edge[], state: Seen): void {
    if (this.state === null || !sameSeen(this.state, state)) this.known = new WeakMap();
    const changed = new Set<string>();
    this.nodes = nodes.flatMap((node) => {
      const before = this.known.get(node);
      const placed = before ?? placedNode(node, state);
      if (!placed) return [];
      if (!before) changed.add(placed.id);
      this.known.set(node, placed);
      return [placed];
    });
    this.follow(changed, edges !== this.edges);
    [this.state, this.edges] = [state, edges];
    this.bounds = boxAround(this.nodes.map(({ x, y, look }) => ({ x, y, ...sizeOf(look) })));
    this.wires.place(nodes, edges);
  }

  /** False where some nodes are plain boxes still, so that another frame is wanted. */
  paint(view: Viewport, ratio: number, resting: boolean): boolean {
    const { context, moving } = this;
    const { width, height } = context.canvas;
    const [scale, left, top] = [view.zoom * ratio, view.x * ratio, view.y * ratio];
    const frame = { scale, left, top, width, height };
    context.resetTransform();
    context.clearRect(0, 0, width, height);
    this.sprites.startFrame(scale, resting);
    let complete = true;
    if (this.still && sameFrame(this.still.frame, frame)) {
      context.drawImage(this.still.picture, 0, 0);
    } else {
      complete = this.paintParts(frame, (id) => !moving.has(id));
      this.still = complete && moving.size > 0 ? { frame, moving, picture: this.copied() } : null;
    }
    if (moving.size > 0) complete = this.paintParts(frame, (id) => moving.has(id)) && complete;
    this.paintKnobs(frame, ratio);
    return complete;
  }

  /** Treat the changed elements as moving, until others change. */
  private follow(changed: ReadonlySet<string>, rewired: boolean): void {
    if (changed.size > 0) this.moving = changed.size > MOST_MOVING ? new Set() : changed;
    const same = this.still !== null && isSame(this.still.moving, this.moving);
    if (rewired || !same) this.still = null;
  }

  private copied(): OffscreenCanvas {
    const { width, height } = this.context.canvas;
    const picture = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
    picture.getContext("2d")?.drawImage(this.context.canvas, 0, 0);
    return picture;
  }

  /** A wire belongs to a part where one of its ends moves. */
  private paintParts(frame: Frame, isIn: (id: string) => boolean): boolean {
    const { context, moving } = this;
    const { scale, left, top, width, height } = frame;
    context.setTransform(scale, 0, 0, scale, left, top);
    this.paintWires(scale, ({ from, to }) => {
      const end = moving.has(from) ? from : to;
      return isIn(end);
    });
    context.resetTransform();
    let complete = true;
    for (const node of this.nodes) {
      if (!isIn(node.id)) continue;
      const [x, y] = [Math.round(node.x * scale + left), Math.round(node.y * scale + top)];
      const [across, down] = [node.look.width * scale, node.look.height * scale];
      if (x > width || y > height || x + across < 0 || y + down < 0) continue;
      complete = this.paintNode(node, x, y, Math.round(across), Math.round(down)) && complete;
    }
    return complete;
  }

  /** The nodes whose boxes are within reach of a point of the document. */
  nodesNear({ x, y }: Position, reach: number): readonly string[] {
    return this.nodes
      .filter(
        ({ x: left, y: top, look: { width, height } }) =>
          x > left - reach &&
          y > top - reach &&
          x < left + width + reach &&
          y < top + height + reach,
      )
      .map(({ id }) => id);
  }

  /** The wire at a point of the document. */
  wireAt(point: Position, reach: number): string | null {
    return this.wires.at(this.context, point, reach);
  }

  private paintNode(node: Placed, x: number, y: number, across: number, down: number): boolean {
    const picture = this.sprites.of(node);
    if (!picture) {
      this.context.fillStyle = this.palette.nodes.of(node.look).band;
      this.context.fillRect(x, y, across, down);
      return false;
    }
    const same = picture.width === across && picture.height === down;
    if (same) this.context.drawImage(picture, x, y);
    else this.context.drawImage(picture, x, y, across, down);
    return true;
  }

  private paintWires(scale: number, isIn: (wire: PaintedWire) => boolean): void {
    const { context, palette } = this;
    for (const wire of this.wires.all) {
      if (!isIn(wire)) continue;
      context.strokeStyle = palette.types.get(wire.type) ?? palette.line;
      context.globalAlpha = wire.muted ? MUTED : 1;
      context.lineWidth = Math.max(wire.selected ? 6 : 2, (wire.selected ? 2 : 1) / scale);
      context.stroke(wire.path);
    }
    context.globalAlpha = 1;
  }

  private paintKnobs({ scale, left, top }: Frame, ratio: number): void {
    const { context, palette } = this;
    const pixel = ratio / scale; // one of the screen, in pixels of the document
    context.setTransform(scale, 0, 0, scale, left, top);
    context.fillStyle = palette.panel;
    context.lineWidth = 2 * pixel;
    for (const wire of this.wires.all.filter(({ selected }) => selected)) {
      context.strokeStyle = palette.types.get(wire.type) ?? palette.line;
      for (const { x, y } of wire.ends) {
        context.beginPath();
        context.arc(x, y, KNOB * pixel, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
      }
    }
  }
}

function sizeOf({ width, height }: NodeAppearance): Size {
  return { width, height };
}

function sameFrame(one: Frame, other: Frame): boolean {
  const names = ["scale", "left", "top", "width", "height"] as const;
  return names.every((name) => one[name] === other[name]);
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
