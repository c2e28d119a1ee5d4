/** Notices at the edge of the canvas: the newest few, and everything in progress. */

import type { Notice } from "./types";

const MOST = 4;

/** Add a notice; one with the same message is removed, and the oldest if there are too many. */
export function withNotice(before: readonly Notice[], notice: Notice): readonly Notice[] {
  const all = [...before.filter((other) => other.message !== notice.message), notice];
  const passing = all.filter((notice) => notice.kind !== "progress");
  const old = new Set(passing.slice(0, -MOST));
  return all.filter((notice) => !old.has(notice));
}
