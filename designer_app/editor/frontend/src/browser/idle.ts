/** Work that can wait until the browser is idle. */

/** Milliseconds: at the latest then. */
const LATEST = 500;

/** Return a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act); // Safari knows no idle time
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act, { timeout: LATEST });
  return () => cancelIdleCallback(waiting);
}
