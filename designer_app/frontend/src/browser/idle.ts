/** Work that can wait until the browser is idle. */

/** Milliseconds after which it runs at the latest. */
const LATEST = 500;

/** Return a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(act); // Safari has no idle callbacks
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(act, { timeout: LATEST });
  return () => cancelIdleCallback(waiting);
}
