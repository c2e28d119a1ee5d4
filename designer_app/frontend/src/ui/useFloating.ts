/** Position of a floating element: near a point, inside its frame, not clipped. */

import { type CSSProperties, type RefObject, useLayoutEffect, useState } from "react";

import { useRoot } from "../view/context";

const EDGE = 8;

/** Left and top of a floating element that starts at a point of the window. */
export function useFloating(
  ref: RefObject<HTMLElement | null>,
  x: number,
  y: number,
): CSSProperties {
  const root = useRoot();
  const [style, setStyle] = useState<CSSProperties>({ left: 0, top: 0, opacity: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const frame = root.getBoundingClientRect();
    const from = (element.offsetParent ?? root).getBoundingClientRect();
    const left = Math.min(x, frame.right - element.offsetWidth - EDGE);
    const top = Math.min(y, frame.bottom - element.offsetHeight - EDGE);
    setStyle({
      left: Math.max(frame.left + EDGE, left) - from.left,
      top: Math.max(frame.top + EDGE, top) - from.top,
    });
  }, [ref, root, x, y]);
  return style;
}
