/** Panels, which the first paint does not wait for. */

import { whenIdle } from "../browser/idle";
import { importWithRetry } from "../ui/importWithRetry";
import type * as Panels from "./lazyPanels";

let loading: Promise<typeof Panels> | undefined;

/**
 * Load the panels. On a first visit loading starts after the first paint: reading their script
 * takes a quarter of a second of processor time. Later the browser has a compiled copy: loading
 * starts at once, while the page waits for the server.
 */
export function lazyPanels(): Promise<typeof Panels> {
  loading ??= startOfLoading().then(() => importWithRetry(() => import("./lazyPanels")));
  return loading;
}

/** Resolve when the panels may be loaded. */
function startOfLoading(): Promise<void> {
  const [script] = performance.getEntriesByName(import.meta.url);
  const isKept = script instanceof PerformanceResourceTiming && script.transferSize === 0;
  return isKept ? Promise.resolve() : new Promise((resolve) => whenIdle(resolve));
}
