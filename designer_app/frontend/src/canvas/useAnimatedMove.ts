/** Animation of nodes that were moved; the document has their new positions at once. */

import { type Dispatch, type SetStateAction, useCallback, useEffect, useRef } from "react";

import { findNode } from "../graph/lookup";
import type { Position } from "../graph/types";
import { useEditor } from "../view/context";
import type { Moved } from "./flowElements";

const MILLISECONDS = 260;
/** Number of nodes above which drawing takes longer than the animation. */
const MOST = 1_000;

export type AnimatedMove = (from: Moved) => void;

export function useAnimatedMove(setMoved: Dispatch<SetStateAction<Moved>>): AnimatedMove {
  const editor = useEditor();
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return useCallback(
    (from) => {
      const { document } = editor.state;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (still || from.size > MOST) return;
      const startTime = performance.now();
      const step = (): void => {
        const part = Math.min(1, (performance.now() - startTime) / MILLISECONDS);
        const over = part === 1 || editor.state.document !== document;
        setMoved(over ? new Map() : between(from, (id) => findNode(document, id)?.position, part));
        if (!over) frame.current = requestAnimationFrame(step);
      };
      cancelAnimationFrame(frame.current);
      step();
    },
    [editor, setMoved],
  );
}

/** Return the positions during the animation, fast at first; `part` runs from 0 to 1. */
export function between(
  from: Moved,
  goalOf: (id: string) => Position | undefined,
  part: number,
): Moved {
  const done = 1 - (1 - part) ** 3;
  return new Map(
    [...from].map(([id, start]) => {
      const goal = goalOf(id) ?? start;
      const x = start.x + (goal.x - start.x) * done;
      return [id, { x, y: start.y + (goal.y - start.y) * done }];
    }),
  );
}
