/** Keys of a replay: they take precedence over the canvas's. */

import { isTyping } from "../../commands/keyboard";
import type { ReplayPlayer } from "../../store/replayPlayer";

/** Fraction of the whole that an arrow key moves. */
const STEP = 0.02;

/** Listen on the root of the view; returns a function that stops it. */
export function attachPlayerKeys(root: HTMLElement, player: ReplayPlayer): () => void {
  const listener = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.composedPath()[0];
    if (isTyping(target) || isBusy(target)) return;
    const act = actionOf(event, player);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  };
  root.addEventListener("keydown", listener, { capture: true });
  return () => root.removeEventListener("keydown", listener, { capture: true });
}

function actionOf(event: KeyboardEvent, player: ReplayPlayer): (() => void) | undefined {
  const { time } = player.state;
  switch (event.key) {
    case " ":
      return () => player.toggle();
    case "ArrowRight":
      return event.shiftKey ? () => player.skip(1) : () => player.seek(time + player.length * STEP);
    case "ArrowLeft":
      return event.shiftKey
        ? () => player.skip(-1)
        : () => player.seek(time - player.length * STEP);
    case "Home":
      return () => player.seek(0);
    case "End":
      return () => player.seek(player.length);
    default:
      return undefined;
  }
}

/** Tabs, lists and dialogs handle these keys themselves; a button only its space bar. */
function isBusy(target: EventTarget | undefined): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest("select, dialog, [role=tab], [role=menu], pre") !== null;
}
