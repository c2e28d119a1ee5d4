/** Shortcuts that the user assigned to commands, stored by this browser. */

import { createStore } from "zustand/vanilla";

import type { Command } from "./types";

/** Shortcuts by command id; an empty list is a command without shortcut. */
export type KeyBindings = Readonly<Record<string, readonly string[]>>;

const KEY = "pipeline-designer.keys";

export const keyBindings = createStore<KeyBindings>(() => readBindings(stored()));

globalThis.addEventListener?.("storage", (event) => {
  if (event.key === KEY) keyBindings.setState(readBindings(event.newValue), true);
});

/** Return the current shortcuts of a command. */
export function boundKeys(command: Command, bindings = keyBindings.getState()): readonly string[] {
  return bindings[command.id] ?? command.keys ?? [];
}

export function keepBindings(bindings: KeyBindings): void {
  keyBindings.setState(bindings, true);
  try {
    globalThis.localStorage.setItem(KEY, JSON.stringify(bindings));
  } catch {
    // storage is forbidden or full: the shortcuts last until the page is closed
  }
}

/** Parse stored text; invalid entries are skipped, since anything may have written it. */
export function readBindings(text: string | null): KeyBindings {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, keys]) => isKeys(keys)));
  } catch {
    return {};
  }
}

function isKeys(keys: unknown): keys is readonly string[] {
  return Array.isArray(keys) && keys.every((key) => typeof key === "string" && key !== "");
}

function stored(): string | null {
  try {
    return globalThis.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
