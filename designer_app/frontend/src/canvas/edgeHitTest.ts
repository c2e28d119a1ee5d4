/** Wire under a point of the window, for both renderers of wires. */

import type { Position } from "../graph/types";

type Finder = (point: Position) => string | null;

const finders = new Map<Element, Finder>();

/** Register a finder for wires that are painted and have no elements; returns a function that
 * removes it. */
export function findWiresBy(frame: Element, find: Finder): () => void {
  finders.set(frame, find);
  return () => {
    if (finders.get(frame) === find) finders.delete(frame);
  };
}

/** Return the id of the link, or null. */
export function wireUnder(frame: Element | null, point: Position): string | null {
  if (!frame) return null;
  const host = frame.getRootNode() as Document | ShadowRoot;
  const drawn = host
    .elementsFromPoint(point.x, point.y)
    .map((element) => element.closest<HTMLElement>(".react-flow__edge")?.dataset["id"])
    .find((id) => id !== undefined);
  return drawn ?? finders.get(frame)?.(point) ?? null;
}
