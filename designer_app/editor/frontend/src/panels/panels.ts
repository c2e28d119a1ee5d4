/** The panels, which the first picture does not wait for. */

import { whenIdle } from "../browser/idle";
import { importWithRetry } from "../ui/importWithRetry";
import type * as Panels from "./lazyPanels";

let begun: Promise<typeof Panels> | undefined;

/** Begun when the first picture stands: to read their script takes a third of the time that takes. */
export function lazyPanels(): Promise<typeof Panels> {
  begun ??= new Promise<void>((resolve) => whenIdle(resolve)).then(() =>
    importWithRetry(() => import("./lazyPanels")),
  );
  return begun;
}
