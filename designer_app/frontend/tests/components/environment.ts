/** DOM of component tests: happy-dom with a desktop window size, and Node's own requests. */

import { type Environment, builtinEnvironments } from "vitest/runtime";

/** happy-dom's own requests support neither loopback servers on other ports nor Node's signals. */
const FROM_NODE = [
  "fetch",
  "Request",
  "Response",
  "Headers",
  "AbortController",
  "AbortSignal",
  "URL",
  "URLSearchParams",
] as const;

const WINDOW = { width: 1440, height: 900 };

export default {
  name: "components",
  viteEnvironment: "ssr",
  async setup(global: typeof globalThis, options) {
    const kept = FROM_NODE.map((name) => [name, global[name]] as const);
    const settings = { ...options, happyDOM: WINDOW };
    const { teardown } = await builtinEnvironments["happy-dom"].setup(global, settings);
    for (const [name, value] of kept)
      Object.defineProperty(global, name, { value, writable: true });
    giveSizes(global.HTMLElement.prototype);
    global.document.elementsFromPoint = () => []; // nothing is at any point
    const giveView = (event: Event): unknown =>
      Object.defineProperty(event, "view", { value: global.window });
    // d3-drag asks an event for its window, which happy-dom omits
    for (const kind of ["mousedown", "mousemove", "mouseup"]) {
      global.addEventListener(kind, giveView, { capture: true });
    }
    return { teardown };
  },
} satisfies Environment;

/** happy-dom draws nothing. The canvas asks for its size, and takes all others from the document. */
function giveSizes(prototype: HTMLElement): void {
  for (const kind of ["client", "offset"]) {
    Object.defineProperty(prototype, `${kind}Width`, { get: () => WINDOW.width });
    Object.defineProperty(prototype, `${kind}Height`, { get: () => WINDOW.height });
  }
}
