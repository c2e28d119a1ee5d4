/** Dragging an item out of the palette; a vertical touch scrolls the list. */

import { type PointerEvent, useRef } from "react";

import { useView } from "../../view/context";
import type { Placeable } from "../../view/viewStore";

interface Handlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

/** Pixels below which a movement is a click. */
const THRESHOLD = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Return true if a pointer has moved far enough, or a finger far enough sideways, to drag the
 * item. */
export function isDragging(from: Point, to: Point, pointerType: string): boolean {
  const [dx, dy] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  return Math.hypot(dx, dy) >= THRESHOLD && (pointerType !== "touch" || dx > dy);
}

export function usePaletteDrag(item: Placeable): Handlers {
  const view = useView();
  const start = useRef<Point | null>(null);
  const end = (): void => {
    start.current = null;
    view.setState({ drag: null });
  };
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      start.current = { x: event.clientX, y: event.clientY };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      if (!start.current) return;
      const { clientX: x, clientY: y } = event;
      const isFar = isDragging(start.current, { x, y }, event.pointerType);
      if (isFar || view.getState().drag) view.setState({ drag: { ...item, x, y } });
    },
    onPointerUp: (event) => {
      const { drag } = view.getState();
      if (drag) view.drop({ ...drag, x: event.clientX, y: event.clientY });
      end();
    },
    onPointerCancel: end,
  };
}
