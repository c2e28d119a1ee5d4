/** What the first picture can do without is drawn once the browser has nothing else to do. */

import { useEffect, useState } from "react";

import { whenIdle } from "../browser/idle";

export function useBrowserIdle(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenIdle(() => setSettled(true)), []);
  return settled;
}
