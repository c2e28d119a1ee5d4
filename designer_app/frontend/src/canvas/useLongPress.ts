/** Long press of a finger on the canvas; loaded where there are fingers. */

import { type RefObject, useEffect } from "react";

import { importWithRetry } from "../ui/importWithRetry";

export function useLongPress(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (navigator.maxTouchPoints === 0) return;
    let leave: (() => void) | null = null;
    let isOver = false;
    void importWithRetry(() => import("./longPress")).then(({ watchFinger }) => {
      if (!isOver && frame.current) leave = watchFinger(frame.current);
    });
    return () => {
      isOver = true;
      leave?.();
    };
  }, [frame]);
}
