/** What the first picture can do without is drawn once the browser has nothing else to do. */

import { useEffect, useState } from "react";

/** At the latest after so many milliseconds. */
const LATEST = 500;

export function useBrowserIdle(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => {
    const waiting = requestIdleCallback(() => setSettled(true), { timeout: LATEST });
    return () => cancelIdleCallback(waiting);
  }, []);
  return settled;
}
