/** Hit boxes of nodes near the pointer in the overview: boxes of thousands of nodes would take
 * every frame, though nothing in them is painted. */

import type { Position } from "../../graph/types";

type NodesNear = (point: Position) => readonly string[];

/** Mark the elements that a pointer could touch next; returns a function that stops it. */
export function keepPointerTargets(frame: HTMLElement, nodesNear: NodesNear): () => void {
  let marked = new Set<Element>();
  const mark = (ids: readonly string[]): void => {
    const elements = ids.flatMap(
      (id) => frame.querySelector(`.react-flow__node[data-id="${id}"]`) ?? [],
    );
    for (const element of marked) element.removeAttribute("data-near");
    for (const element of elements) element.setAttribute("data-near", "");
    marked = new Set(elements);
  };
  const follow = ({ clientX, clientY }: PointerEvent): void =>
    mark(nodesNear({ x: clientX, y: clientY }));
  // a finger comes from nowhere: its tap finds what is marked when it touches
  const kinds = ["pointermove", "pointerdown"] as const;
  for (const kind of kinds) frame.addEventListener(kind, follow, { capture: true, passive: true });
  return () => {
    for (const kind of kinds) frame.removeEventListener(kind, follow, { capture: true });
    mark([]);
  };
}
