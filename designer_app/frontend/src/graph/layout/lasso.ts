/** Selection of the elements inside a line drawn by hand. */

import type { Box } from "./geometry";
import type { Position } from "../types";

/** Return the ids of the boxes whose middle is inside the closed line. */
export function boxesIn(line: readonly Position[], boxes: ReadonlyMap<string, Box>): string[] {
  return [...boxes].filter(([, box]) => isInside(middle(box), line)).map(([id]) => id);
}

function middle({ x, y, width, height }: Box): Position {
  return { x: x + width / 2, y: y + height / 2 };
}

/** Return true if a ray to the right crosses the line an odd number of times. */
function isInside({ x, y }: Position, line: readonly Position[]): boolean {
  return (
    line.filter((point, at) => {
      const next = line[(at + 1) % line.length] ?? point;
      if (point.y > y === next.y > y) return false;
      return x < point.x + ((y - point.y) / (next.y - point.y)) * (next.x - point.x);
    }).length %
      2 ===
    1
  );
}
