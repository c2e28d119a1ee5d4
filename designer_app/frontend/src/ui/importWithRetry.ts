/** Parts of the editor that are loaded after its first paint, retried while the server is
 * unavailable. */

const RETRY_AFTER = 1000;

/**
 * Return the result of `load`, retrying until it succeeds. A part that React waits for must not
 * fail: the whole editor would be unmounted, with all unsaved edits.
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
