/** Shortcuts find their commands, on a PC and on a Mac. */

import { afterEach, expect, test } from "vitest";

import { COMMANDS } from "../src/commands/registry";
import { keepBindings, keyBindings, readBindings } from "../src/commands/keyBindings";
import { commandFor, keysOf, shown } from "../src/commands/keyboard";
import { ownerOf, pressedKeys, whyTaken, withKey, withoutBinding } from "../src/commands/rebinding";
import { commandOf } from "../src/commands/registry";

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
  ["undo", { ...press("я", "ctrl"), code: "KeyZ" }, false],
  ["redo", { ...press("Я", "meta", "shift"), code: "KeyZ" }, true],
  ["copy", { ...press("ψ", "ctrl"), code: "KeyC" }, false],
  ["save", { ...press("ד", "ctrl"), code: "KeyS" }, false],
  ["connect-selected", { ...press("д"), code: "KeyL" }, false],
  ["undo", { ...press("z", "ctrl"), code: "Slash" }, false], // Dvorak
  [undefined, { ...press("w", "ctrl"), code: "KeyZ" }, false], // AZERTY
  [undefined, { ...press("é", "ctrl"), code: "KeyZ" }, false],
  [undefined, press("z"), false],
  [undefined, press("z", "ctrl"), true],
  [undefined, press("r"), false],
  [undefined, press("c"), false],
  [undefined, { ...press("l"), isComposing: true }, false],
])("%s", (id, pressed, apple) => {
  expect(commandFor(pressed, apple)?.id).toBe(id);
});

test("no two commands share a key", () => {
  const keys = COMMANDS.flatMap((command) => command.keys ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  const ids = COMMANDS.map((command) => command.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("shortcuts are shown as usual on the operating system", () => {
  expect(shown("Mod+Shift+Z", false)).toBe("Ctrl+Shift+Z");
  expect(shown("Mod+Shift+Z", true)).toBe("⇧⌘Z");
  expect(shown("Mod++", false)).toBe("Ctrl++");
});

afterEach(() => keepBindings({}));

test.each([
  ["Mod+Shift+L", press("L", "ctrl", "shift"), false],
  ["Mod+J", press("j", "meta"), true],
  ["Shift+1", { ...press("!", "shift"), code: "Digit1" }, false],
  ["?", press("?", "shift"), false],
  ["ß", press("ß"), false],
  ["Mod+Shift+L", { ...press("Д", "ctrl", "shift"), code: "KeyL" }, false],
  ["Alt+F9", press("F9", "alt"), false],
  [null, press("Control", "ctrl"), false],
  [null, press("j", "meta"), false],
])("%s is the pressed combination", (keys, pressed, apple) => {
  expect(pressedKeys(pressed, apple)).toBe(keys);
});

test("an assigned shortcut belongs to one command, and its default can be restored", () => {
  const duplicate = commandOf("duplicate");
  expect(ownerOf(press("l"), duplicate)?.id).toBe("connect-selected");
  keepBindings(withKey({}, duplicate, "L"));
  expect(commandFor(press("l"), false)?.id).toBe("duplicate");
  expect(commandFor(press("d", "ctrl"), false)).toBeUndefined();
  expect(keysOf(commandOf("connect-selected"))).toBe("");
  keepBindings(withoutBinding(keyBindings.getState(), commandOf("connect-selected")));
  expect(keysOf(commandOf("connect-selected"))).toBe("");
  keepBindings(withoutBinding(keyBindings.getState(), duplicate));
  keepBindings(withoutBinding(keyBindings.getState(), commandOf("connect-selected")));
  expect(commandFor(press("l"), false)?.id).toBe("connect-selected");
  expect(keyBindings.getState()).toEqual({});
});

test("an assigned letter of another script takes precedence over the key that produces it", () => {
  keepBindings({ duplicate: ["Mod+я"] });
  expect(commandFor({ ...press("я", "ctrl"), code: "KeyZ" }, false)?.id).toBe("duplicate");
});

test("one of several shortcuts is reassigned and the others stay", () => {
  keepBindings(withKey({}, commandOf("duplicate"), "Backspace"));
  expect(commandFor(press("Backspace"), false)?.id).toBe("duplicate");
  expect(commandFor(press("Delete"), false)?.id).toBe("delete");
});

test.each(["Enter", "Shift+Tab", " ", "Escape", "ArrowLeft", "F6", "F5", "Mod+W"])(
  "%s cannot be reassigned",
  (keys) => {
    expect(whyTaken(keys)).not.toBeNull();
  },
);

test("invalid stored shortcuts are ignored", () => {
  for (const text of ["{", "[]", "7", "null", '{"duplicate": "L"}', '{"duplicate": [7]}']) {
    expect(readBindings(text)).toEqual({});
  }
  expect(readBindings('{"duplicate": ["L"], "copy": [""]}')).toEqual({ duplicate: ["L"] });
});
