/** Assignment of shortcuts to commands: pressed keys, their command, and reserved keys. */

import { boundKeys, type KeyBindings } from "./keyBindings";
import { commandFor, isApple, latinKey, type Pressed } from "./keyboard";
import { COMMANDS, type Command } from "./registry";
import { t } from "../graph/translate";

const MODIFIERS = new Set(["Control", "Meta", "Shift", "Alt", "AltGraph", "CapsLock", "Dead"]);

/** Keys that navigate within fields, buttons, panes and the canvas. */
const OF_CONTROLS = /^(Shift\+)?(Enter|Tab| |Escape|F6|Arrow(Left|Right|Up|Down))$/;
/** Keys that browsers reserve, or that leave the page. */
const OF_BROWSERS = /^(Mod\+(Shift\+)?[LNQRTW]|Shift\+F5|F5|F11|F12)$/;

/** Return the pressed keys as "Mod+Shift+L"; null for modifiers alone, or a key of the system. */
export function pressedKeys(event: Pressed, apple: boolean = isApple()): string | null {
  if (event.isComposing || MODIFIERS.has(event.key)) return null;
  const mod = apple ? event.metaKey : event.ctrlKey;
  if (apple ? event.ctrlKey : event.metaKey) return null;
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  const pressed = latinKey(event);
  const key = digit ?? (/^[a-z]$/.test(pressed) ? pressed.toUpperCase() : pressed);
  const isSign = /^[^a-zA-Z0-9 ]$/.test(key);
  const parts = [mod && "Mod", event.shiftKey && !isSign && "Shift", event.altKey && "Alt", key];
  return parts.filter(Boolean).join("+");
}

/** Return the reason why a key cannot be assigned to a command; null if it can. */
export function whyTaken(keys: string): string | null {
  if (OF_CONTROLS.test(keys)) return t("is used to navigate the page");
  if (OF_BROWSERS.test(keys)) return t("is used by the browser");
  return null;
}

/** Return the other command with the same shortcut, if there is one. */
export function ownerOf(event: Pressed, command: Command): Command | undefined {
  const owner = commandFor(event);
  return owner?.id === command.id ? undefined : owner;
}

/** Assign a shortcut to a command; the previous owner keeps its other shortcuts. */
export function withKey(bindings: KeyBindings, command: Command, keys: string): KeyBindings {
  const freed = COMMANDS.filter((other) => boundKeys(other, bindings).includes(keys)).map(
    (owner) => [owner.id, boundKeys(owner, bindings).filter((other) => other !== keys)] as const,
  );
  return { ...bindings, ...Object.fromEntries(freed), [command.id]: [keys] };
}

/** Restore the default shortcuts of a command, unless another command has them now. */
export function withoutBinding(bindings: KeyBindings, command: Command): KeyBindings {
  const rest = Object.fromEntries(Object.entries(bindings).filter(([id]) => id !== command.id));
  const others = COMMANDS.filter((other) => other.id !== command.id);
  const taken = new Set(others.flatMap((other) => boundKeys(other, rest)));
  const own = command.keys ?? [];
  const free = own.filter((keys) => !taken.has(keys));
  return free.length === own.length ? rest : { ...rest, [command.id]: free };
}
