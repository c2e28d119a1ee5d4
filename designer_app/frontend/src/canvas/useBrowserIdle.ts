/** Delay of parts that the first paint does not need until the browser is idle. */

import { useEffect, useState } from "react";

import { whenIdle } from "../browser/idle";

export function useBrowserIdle(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => whenIdle(() => setSettled(true)), []);
  return settled;
}
