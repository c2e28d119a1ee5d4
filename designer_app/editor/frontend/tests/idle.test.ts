/** What waits for an idle browser comes in every browser, and can be taken back. */

import { afterEach, expect, test, vi } from "vitest";

import { whenIdle } from "../src/browser/idle";

afterEach(() => vi.unstubAllGlobals());

test("comes without idle callbacks too, which Safari has not", async () => {
  expect(typeof requestIdleCallback).toBe("undefined"); // as here
  await new Promise<void>((resolve) => whenIdle(resolve));
});

test("does not come once it was taken back", async () => {
  const acted = vi.fn<() => void>();
  whenIdle(acted)();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(acted).not.toHaveBeenCalled();
});

test("comes in half a second at the latest where the browser is never idle", () => {
  const asked = vi.fn<typeof requestIdleCallback>(() => 7);
  const taken = vi.fn<typeof cancelIdleCallback>();
  vi.stubGlobal("requestIdleCallback", asked);
  vi.stubGlobal("cancelIdleCallback", taken);
  const act = (): void => undefined;
  whenIdle(act)();
  expect(asked).toHaveBeenCalledWith(act, { timeout: 500 });
  expect(taken).toHaveBeenCalledWith(7);
});
