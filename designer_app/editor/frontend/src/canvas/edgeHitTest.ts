/** The wire under a point of the window, whoever draws the wires. */

import type { Position } from "../graph/types";

type Finder = (point: Position) => string | null;

const finders = new Map<Element, Finder>();

/** Where wires are painted and have no elements; gives what takes the finder back. */
export function findWiresBy(frame: Element, find: Finder): () => void {
  finders.set(frame, find);
  return () => {
    if (finders.get(frame) === find) finders.delete(frame);
  };
}

/** The id of the link, or null. */
export function wireUnder(frame: Element | null, point: Position): string | null {
  if (!frame) return null;
  const host = frame.getRootNode() as Document | ShadowRoot;
  const drawn = host
    .elementsFromPoint(point.x, point.y)
    .map((element) => element.closest<HTMLElement>(".react-flow__edge")?.dataset["id"])
    .find((id) => id !== undefined);
  return drawn ?? finders.get(frame)?.(point) ?? null;
}
