/** Saying that something is being done, where that takes longer than a glance. */

import type { Editor } from "../store/editor";

/** Milliseconds. */
const PATIENCE = 300;
/** Milliseconds in which the page draws what was just said. */
const DRAWN = 50;

/** What the work gives; "Tidying up ..." stands at the edge from a moment on until it is over. */
export async function withProgressNotice<Result>(
  editor: Editor,
  words: string,
  work: () => Result | Promise<Result>,
  { atOnce = false } = {},
): Promise<Result> {
  let notice: number | undefined;
  const say = (): void => {
    notice = editor.notify(`${words} ...`, "progress");
  };
  const timer = setTimeout(say, atOnce ? 0 : PATIENCE);
  try {
    // work that leaves the page no time to draw is not begun before it has drawn
    if (atOnce) await new Promise((resolve) => setTimeout(resolve, DRAWN));
    return await work();
  } finally {
    clearTimeout(timer);
    if (notice !== undefined) editor.dismiss(notice);
  }
}
