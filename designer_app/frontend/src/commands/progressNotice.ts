/** Progress notice for work that takes longer than a moment. */

import type { Editor } from "../store/editor";

/** Milliseconds before the notice appears. */
const PATIENCE = 300;
/** Milliseconds in which the page paints the notice. */
const DRAWN = 50;

/** Return the result of the work; a notice such as "Tidying up ..." is shown if it takes longer. */
export async function withProgressNotice<Result>(
  editor: Editor,
  words: string,
  work: () => Result | Promise<Result>,
  { atOnce = false } = {},
): Promise<Result> {
  let notice: number | undefined;
  const notify = (): void => {
    notice = editor.notify(`${words} ...`, "progress");
  };
  const timer = setTimeout(notify, atOnce ? 0 : PATIENCE);
  try {
    // Work that blocks painting starts only after the notice has been painted
    if (atOnce) await new Promise((resolve) => setTimeout(resolve, DRAWN));
    return await work();
  } finally {
    clearTimeout(timer);
    if (notice !== undefined) editor.dismiss(notice);
  }
}
