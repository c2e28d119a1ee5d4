/** Keyboard focus that follows the selection, for arrow keys and screen readers. */

import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect, useRef } from "react";

import { useEditorState } from "../view/context";
import { selectDocument, selectSelection, selectViewport } from "../store/selectors";
import type { Selection } from "../store/types";

export function useFocus(frame: RefObject<HTMLElement | null>): void {
  const document = useEditorState(selectDocument);
  const selection = useEditorState(selectSelection);
  const viewport = useEditorState(selectViewport);
  const only = onlyOf(selection);
  const isHere = useIsHere(frame);
  useInView(only, isHere);
  useEffect(() => {
    // React Flow renders a new node a moment later, and removes a focused one that leaves the view
    const waiting = requestAnimationFrame(() => {
      const canvas = frame.current;
      const focused = (canvas?.getRootNode() as Document | ShadowRoot | undefined)?.activeElement;
      const isLost = !focused || focused === globalThis.document.body;
      if (!canvas || !isHere.current || (!isLost && !canvas.contains(focused))) return;
      if (focused?.matches("input, textarea, select")) return;
      focusIn(canvas, only, isLost);
    });
    return () => cancelAnimationFrame(waiting);
  }, [only, document, viewport, frame, isHere]);
}

/** Return the only selected node or wire; no two of them have the same name. */
function onlyOf({ nodes, links }: Selection): string | undefined {
  return nodes.length + links.length === 1 ? (nodes[0] ?? links[0]) : undefined;
}

/** Focus the node or wire; otherwise the canvas, if nothing else has the focus. */
export function focusIn(canvas: HTMLElement, name: string | undefined, isLost = true): void {
  const kinds = [".react-flow__node", ".react-flow__edge"];
  const wanted = name
    ? canvas.querySelector<HTMLElement>(kinds.map((kind) => `${kind}[data-id="${name}"]`).join())
    : null;
  if (wanted && !wanted.matches(":focus-within")) wanted.focus({ preventScroll: true });
  else if (!wanted && isLost) canvas.focus({ preventScroll: true });
}

/** Bring a node into view that was reached or added with the keyboard. */
function useInView(only: string | undefined, isHere: RefObject<boolean>): void {
  const flow = useReactFlow();
  const api = useStoreApi();
  useEffect(() => {
    const node = only === undefined ? undefined : flow.getInternalNode(only);
    if (!node || !isHere.current) return;
    const { transform, width, height } = api.getState();
    const [left, top, zoom] = transform;
    const { x, y } = node.internals.positionAbsolute;
    const centre = { x: x + (node.width ?? 0) / 2, y: y + (node.height ?? 0) / 2 };
    const [seenX, seenY] = [centre.x * zoom + left, centre.y * zoom + top];
    const isSeen = seenX > 0 && seenY > 0 && seenX < width && seenY < height;
    if (!isSeen) void flow.setCenter(centre.x, centre.y, { zoom });
  }, [only, flow, api, isHere]);
}

/** Return true while the user works on the canvas: the focus was here last, even if it was lost. */
function useIsHere(frame: RefObject<HTMLElement | null>): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    const noteFocus = (event: Event): void => {
      const canvas = frame.current;
      isHere.current = canvas !== null && event.composedPath().includes(canvas);
    };
    // A focus that moves inside a shadow root is reported only there
    const root = frame.current?.getRootNode();
    root?.addEventListener("focusin", noteFocus);
    document.addEventListener("focusin", noteFocus);
    document.addEventListener("pointerdown", noteFocus);
    return () => {
      root?.removeEventListener("focusin", noteFocus);
      document.removeEventListener("focusin", noteFocus);
      document.removeEventListener("pointerdown", noteFocus);
    };
  }, [frame]);
  return isHere;
}
