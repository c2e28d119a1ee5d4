/** Parts of the editor that come later than its first picture, also past a server that went away. */

const RETRY_AFTER = 1000;

/**
 * What `load` gives, as soon as it can be had. A part that React waits for must not fail: the whole
 * editor would be taken off the page, with all that the user has not saved yet.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER));
    }
  }
}
