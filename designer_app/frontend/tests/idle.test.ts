/** Idle callbacks run in every browser and can be cancelled. */

import { afterEach, expect, test, vi } from "vitest";

import { whenIdle } from "../src/browser/idle";

afterEach(() => vi.unstubAllGlobals());

test("runs without idle callbacks too, which Safari lacks", async () => {
  expect(typeof requestIdleCallback).toBe("undefined"); // in Node, too
  await new Promise<void>((resolve) => whenIdle(resolve));
});

test("does not run after being cancelled", async () => {
  const acted = vi.fn<() => void>();
  whenIdle(acted)();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(acted).not.toHaveBeenCalled();
});

test("runs within half a second if the browser is never idle", () => {
  const requested = vi.fn<typeof requestIdleCallback>(() => 7);
  const taken = vi.fn<typeof cancelIdleCallback>();
  vi.stubGlobal("requestIdleCallback", requested);
  vi.stubGlobal("cancelIdleCallback", taken);
  const act = (): void => undefined;
  whenIdle(act)();
  expect(requested).toHaveBeenCalledWith(act, { timeout: 500 });
  expect(taken).toHaveBeenCalledWith(7);
});
