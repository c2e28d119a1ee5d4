/** Shortcuts to commands. */

import { attachRegions } from "../browser/regions";
import type { Editor } from "../store/editor";
import { boundKeys } from "./keyBindings";
import { COMMANDS, perform } from "./registry";
import type { Command } from "./types";

export type Pressed = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "isComposing"
>;

const APPLE = /Mac|iP(hone|ad|od)/;

export function isApple(): boolean {
  return typeof navigator !== "undefined" && APPLE.test(navigator.platform);
}

/** Listen on the editor's root; returns a function that stops it. */
export function attachKeyboard(root: HTMLElement, editor: Editor): () => void {
  const listener = (event: KeyboardEvent): void => hear(event, editor);
  const leaveRegions = attachRegions(root);
  root.addEventListener("keydown", listener);
  return () => {
    leaveRegions();
    root.removeEventListener("keydown", listener);
  };
}

/** Return the command for a key; undefined if there is none. */
export function commandFor(event: Pressed, apple: boolean = isApple()): Command | undefined {
  if (event.isComposing) return undefined;
  const commandOf = (key: string): Command | undefined =>
    COMMANDS.find((command) => boundKeys(command).some((keys) => matches(keys, key, event, apple)));
  return commandOf(event.key) ?? commandOf(latinKey(event));
}

const OTHER_SCRIPT = /^(?!\p{Script=Latin})\p{L}$/u;

/** Return the pressed key; for a letter of another script, such as Я, the Latin one on the same
 * key. */
export function latinKey({ key, code }: Pick<Pressed, "key" | "code">): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter !== undefined && OTHER_SCRIPT.test(key) ? letter : key;
}

/** Text of a command's first shortcut: "Ctrl+Shift+Z", on a Mac "⇧⌘Z"; empty without one. */
export function keysOf(command: Command, apple: boolean = isApple()): string {
  const [keys] = boundKeys(command);
  return keys === undefined ? "" : shown(keys, apple);
}

export function shown(keys: string, apple: boolean): string {
  const { key, mod, shift, alt } = parsed(keys);
  const name = NAMES[key] ?? key;
  if (apple) return `${alt ? "⌥" : ""}${shift ? "⇧" : ""}${mod ? "⌘" : ""}${name}`;
  return [mod && "Ctrl", alt && "Alt", shift && "Shift", name].filter(Boolean).join("+");
}

/** True if the key belongs to a text field rather than to a command. */
export function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof Element)) return false;
  const field = target.closest(
    "input, textarea, select, [contenteditable]:not([contenteditable=false])",
  );
  return field !== null && !(field instanceof HTMLInputElement && UNTYPED.has(field.type));
}

const UNTYPED = new Set(["checkbox", "radio", "button", "range", "color", "file"]);

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: "Del",
  " ": "Space",
};

/** Commands that also work while the user types into a field. */
const FROM_FIELDS = new Set(["run", "save", "open-commands"]);

function hear(event: KeyboardEvent, editor: Editor): void {
  // Streamlit reruns the app on a plain r and opens a dialog on a plain c
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (plain && (event.key === "r" || event.key === "c")) event.stopPropagation();
  if (event.defaultPrevented) return;
  const command = commandFor(event);
  if (!command) return;
  // A shadow root retargets the event: the field itself is first in the path
  const isHeld = event.ctrlKey || event.metaKey; // else it may be a typed letter
  if (isTyping(event.composedPath()[0]) && !(isHeld && FROM_FIELDS.has(command.id))) return;
  if (editor.state.dialog !== null || isInLayer(event)) return;
  if (isControlKey(event)) return;
  if (selectsText(command)) return;
  if (perform(editor, command.id)) {
    event.preventDefault();
    // React Flow listens on the document and would handle the key itself
    event.stopPropagation();
  }
}

/** Dialogs and menus handle keys themselves. */
function isInLayer(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  return (
    target instanceof Element && target.closest("dialog, [role$=dialog], [role=menu]") !== null
  );
}

/** Keys that a focused button, tab or menu handles itself. */
function isControlKey(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  const control = target.closest(
    "button, a, input, [role=tab], [role=tabpanel], [role=menuitem], [role=treeitem], summary, [role=separator]",
  );
  const own = event.key === "Tab" || event.key.startsWith("Arrow") || event.key === "Enter";
  return control !== null && own && !event.ctrlKey && !event.metaKey && !event.altKey;
}

/** Return true if text of a log or notice is selected, which the browser copies. */
function selectsText(command: Command): boolean {
  if (command.id !== "copy" && command.id !== "cut") return false;
  return (globalThis.getSelection?.()?.toString() ?? "") !== "";
}

interface Keys {
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

function parsed(keys: string): Keys {
  const parts = keys.endsWith("++") ? [...keys.slice(0, -2).split("+"), "+"] : keys.split("+");
  const key = parts[parts.length - 1] ?? "";
  return {
    key,
    mod: parts.includes("Mod"),
    shift: parts.includes("Shift"),
    alt: parts.includes("Alt"),
  };
}

function matches(keys: string, key: string, event: Pressed, apple: boolean): boolean {
  const wanted = parsed(keys);
  const mod = apple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (wanted.mod !== mod || wanted.alt !== event.altKey) return false;
  if (!wanted.mod && (event.metaKey || event.ctrlKey)) return false;
  if (/^[0-9]$/.test(wanted.key)) {
    return event.code === `Digit${wanted.key}` && event.shiftKey === wanted.shift;
  }
  // a sign such as ? requires Shift on some keyboards only
  const isSign = /^[^a-zA-Z0-9]$/.test(wanted.key);
  if (!isSign && wanted.shift !== event.shiftKey) return false;
  return key.toLowerCase() === wanted.key.toLowerCase();
}
