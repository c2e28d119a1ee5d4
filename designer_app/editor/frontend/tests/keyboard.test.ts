/** Keys find their commands, on a PC and on a Mac. */

import { expect, test } from "vitest";

import { COMMANDS } from "../src/commands/registry";
import { commandFor, shown } from "../src/commands/keyboard";

type Pressed = Parameters<typeof commandFor>[0];

function press(key: string, ...held: string[]): Pressed {
  return {
    key,
    code: /^[0-9]$/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`,
    ctrlKey: held.includes("ctrl"),
    metaKey: held.includes("meta"),
    shiftKey: held.includes("shift"),
    altKey: held.includes("alt"),
    isComposing: false,
  };
}

test.each([
  ["undo", press("z", "ctrl"), false],
  ["undo", press("z", "meta"), true],
  ["redo", press("Z", "ctrl", "shift"), false],
  ["redo", press("y", "ctrl"), false],
  ["delete", press("Delete"), false],
  ["delete", press("Backspace"), true],
  ["delete-and-heal", press("Delete", "ctrl"), false],
  ["run", press("Enter", "ctrl"), false],
  ["show-shortcuts", press("?", "shift"), false],
  ["show-shortcuts", press("?"), false],
  ["connect-selected", press("l"), false],
  ["go-right", press("ArrowRight"), false],
  ["extend-right", press("ArrowRight", "shift"), false],
  ["nudge-right", press("ArrowRight", "alt"), false],
  ["fit-view", { ...press("!", "shift"), code: "Digit1" }, false],
  ["zoom-in", press("+", "ctrl"), false],
  [undefined, press("z"), false],
  [undefined, press("z", "ctrl"), true],
  [undefined, press("r"), false],
  [undefined, press("c"), false],
  [undefined, { ...press("l"), isComposing: true }, false],
])("%s", (id, pressed, apple) => {
  expect(commandFor(pressed, apple)?.id).toBe(id);
});

test("no two commands share a key", () => {
  const keys = COMMANDS.flatMap((command) => command.keys);
  expect(new Set(keys).size).toBe(keys.length);
  const ids = COMMANDS.map((command) => command.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("keys are shown as the machine writes them", () => {
  expect(shown("Mod+Shift+Z", false)).toBe("Ctrl+Shift+Z");
  expect(shown("Mod+Shift+Z", true)).toBe("⇧⌘Z");
  expect(shown("Mod++", false)).toBe("Ctrl++");
});
