/** Dragging an item out of the palette by pointer: mouse, pen and finger alike. */

import { type PointerEvent, useRef } from "react";

import { useView } from "../../parts/context";
import type { Placeable } from "../../parts/view";

interface Handlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

/** Fewer pixels than this are a click. */
const THRESHOLD = 4;

export function usePaletteDrag(item: Placeable): Handlers {
  const view = useView();
  const start = useRef<{ x: number; y: number } | null>(null);
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
      const far = Math.hypot(x - start.current.x, y - start.current.y) >= THRESHOLD;
      if (far || view.getState().drag) view.setState({ drag: { ...item, x, y } });
    },
    onPointerUp: (event) => {
      const { drag } = view.getState();
      if (drag) view.drop({ ...drag, x: event.clientX, y: event.clientY });
      end();
    },
    onPointerCancel: end,
  };
}
