/** `--unzoom` of the canvas: factor for elements that must be readable at every zoom, and `data-small`
 * where it is above 1. */

import { type ReactFlowState, useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

import { FEW, REST, selectIsOverview } from "./levelOfDetail";

/** Zoom steps per octave: each styles every node again. Beyond MOST, cards fill the canvas. */
const STEPS_AN_OCTAVE = 4;
const MOST = 4;

export function useScreenPixels(frame: RefObject<HTMLElement | null>): void {
  const flow = useStoreApi();
  useEffect(() => {
    let rest: ReturnType<typeof setTimeout> | undefined;
    let shown = "";
    const show = (): void => {
      const state = flow.getState();
      const wanted = enlarging(state.transform[2]).toFixed(3);
      if (wanted === shown || selectIsOverview(state)) return; // the overview shows none of it
      shown = wanted;
      frame.current?.style.setProperty("--unzoom", wanted);
      frame.current?.toggleAttribute("data-small", Number(wanted) > 1);
    };
    const follow = ({ transform, nodes }: ReactFlowState, before: ReactFlowState): void => {
      if (transform[2] === before.transform[2]) return;
      clearTimeout(rest);
      if (nodes.length > FEW) rest = setTimeout(show, REST);
      else show();
    };
    show();
    const stop = flow.subscribe(follow);
    return () => {
      stop();
      clearTimeout(rest);
    };
  }, [flow, frame]);
}

/** Return 1 at full size and above, and correspondingly more at a smaller zoom. */
export function enlarging(zoom: number): number {
  const octaves = Math.round(Math.log2(1 / zoom) * STEPS_AN_OCTAVE) / STEPS_AN_OCTAVE;
  return Math.min(MOST, Math.max(1, 2 ** octaves));
}
