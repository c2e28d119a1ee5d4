/** Keys on a focused wire. */

import type { Editor } from "../store/editor";

type Pressed = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "preventDefault" | "composedPath"
>;

const CHOOSING = new Set(["Enter", " "]);
const REMOVING = new Set(["Delete", "Backspace"]);

/** Select the focused wire, so that Delete removes only it; true if a wire has focus. */
export function chooseFocusedWire(editor: Editor, event: Pressed): boolean {
  const target = event.composedPath()[0];
  const wire = target instanceof Element ? target.closest(".react-flow__edge") : null;
  const key = wire?.getAttribute("data-id");
  if (!key || event.ctrlKey || event.metaKey) return false;
  if (CHOOSING.has(event.key)) event.preventDefault();
  else if (!REMOVING.has(event.key)) return false;
  editor.select({ links: [key] });
  return true;
}
