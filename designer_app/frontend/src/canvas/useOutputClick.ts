/** Click on an output port: opens the output; a drag from there still draws a wire. */

import { type HTMLAttributes, useRef } from "react";

import { useEditor, useViewState } from "../view/context";
import { openOutput } from "../store/pageHost";

type Handlers = Pick<HTMLAttributes<HTMLElement>, "onPointerDownCapture" | "onClickCapture">;

/** Pixels by which a pointer may move during a click. */
const SLIP = 4;
const NONE: Handlers = {};

export function useOutputClick(): Handlers {
  const editor = useEditor();
  const recorded = useViewState((state) => state.recorded);
  const start = useRef({ x: 0, y: 0 });
  if (recorded) return NONE; // a replay has previews next to the canvas
  return {
    onPointerDownCapture: ({ clientX, clientY }) => {
      start.current = { x: clientX, y: clientY };
    },
    onClickCapture: (event) => {
      const { target, clientX, clientY } = event;
      const port =
        target instanceof Element ? target.closest<HTMLElement>(".pd-port.source") : null;
      const slipped = Math.hypot(clientX - start.current.x, clientY - start.current.y);
      if (!port || slipped > SLIP) return;
      const { nodeid = "", handleid } = port.dataset;
      // React Flow would start a wire that follows clicks
      if (openOutput(editor.state, nodeid, handleid)) event.stopPropagation();
    },
  };
}
