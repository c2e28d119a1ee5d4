/** Content of a paste: the system's clipboard if readable, else what was copied in this page. */

import { afterEach, expect, test, vi } from "vitest";

import { documentOf } from "./documents";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

interface System {
  text: string;
  mayWrite: boolean;
  mayRead: boolean;
}

async function clipboardWith(system: System) {
  const clipboard = {
    writeText: (text: string) => {
      if (!system.mayWrite) return Promise.reject(new Error("not allowed"));
      system.text = text;
      return Promise.resolve();
    },
    readText: () =>
      system.mayRead ? Promise.resolve(system.text) : Promise.reject(new Error("not allowed")),
  };
  vi.stubGlobal("navigator", { clipboard });
  return import("../src/browser/clipboard");
}

const copied = documentOf({ id: "piece", name: "Piece" });

test("a text copied elsewhere later is not part of a pipeline", async () => {
  const system = { text: "", mayWrite: true, mayRead: true };
  const { readClipboard, writeClipboard } = await clipboardWith(system);
  await writeClipboard(copied);
  expect(await readClipboard()).toBe(copied);
  system.text = "a sentence";
  expect(await readClipboard()).toBeNull();
  system.text = ' {"id": "other"}';
  expect(await readClipboard()).toEqual({ json: { id: "other" } });
});

test("the page keeps what was copied if the system's clipboard is not available", async () => {
  const system = { text: "a sentence", mayWrite: false, mayRead: true };
  const { readClipboard, writeClipboard } = await clipboardWith(system);
  await writeClipboard(copied);
  expect(await readClipboard()).toBe(copied);
  system.mayRead = false;
  expect(await readClipboard()).toBe(copied);
});
