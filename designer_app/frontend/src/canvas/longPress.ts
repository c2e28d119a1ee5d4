/** Long press of a finger on the canvas: the context menu of what is under it. */

const HOLD_MILLISECONDS = 500;
/** Pixels that a resting finger may move. */
const SLACK = 10;

/** Open menus until the returned function is called. */
export function watchFinger(element: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let start: PointerEvent | null = null;
  const leave = (): void => {
    clearTimeout(timer);
    start = null;
  };
  const press = (event: PointerEvent): void => {
    if (event.pointerType !== "touch") return;
    leave();
    if (!event.isPrimary) return; // a second finger: a pinch
    start = event;
    const { target } = event; // later it is that of the page around the editor
    timer = setTimeout(() => open(event, target), HOLD_MILLISECONDS);
  };
  const move = (event: PointerEvent): void => {
    if (!start || event.pointerId !== start.pointerId) return;
    const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    if (far > SLACK) leave();
  };
  const lift = (event: PointerEvent): void => {
    if (event.pointerType === "touch") leave();
  };
  const open = ({ clientX, clientY }: PointerEvent, target: EventTarget | null): void => {
    leave();
    swallowClick(element);
    const place = { bubbles: true, cancelable: true, composed: true, button: 2, clientX, clientY };
    target?.dispatchEvent(new MouseEvent("contextmenu", place));
  };
  const listeners = { pointerdown: press, pointermove: move, pointerup: lift, pointercancel: lift };
  for (const [kind, listener] of Object.entries(listeners))
    element.addEventListener(kind, listener as EventListener, true);
  return () => {
    leave();
    for (const [kind, listener] of Object.entries(listeners))
      element.removeEventListener(kind, listener as EventListener, true);
  };
}

/** The click at the end of the press belongs to it: it selects and closes nothing. */
function swallowClick(element: HTMLElement): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
    stop();
  };
  const stop = (): void => element.removeEventListener("click", swallow, true);
  element.addEventListener("click", swallow, true);
  element.addEventListener("pointerdown", stop, { capture: true, once: true });
}
