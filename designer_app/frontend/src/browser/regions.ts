/** Keyboard navigation between regions of the page: on the canvas, Tab adds a module. */

const FOCUSABLE =
  "button:not([disabled]), a[href], input:not([disabled]), select, textarea, [tabindex='0']:not([role=separator])";

/** Attach to a screen with this root while it is shown; returns a function that detaches. */
export function attachRegions(root: HTMLElement): () => void {
  const page = root.ownerDocument;
  const listener = (event: KeyboardEvent): void => {
    if (event.key !== "F6" || event.defaultPrevented || root.clientWidth === 0) return;
    if (focusRegion(root, event.shiftKey ? -1 : 1)) event.preventDefault();
  };
  page.addEventListener("keydown", listener); // nothing may have the focus
  return () => page.removeEventListener("keydown", listener);
}

/** Focus the next region; false if there is no other. */
function focusRegion(root: HTMLElement, step: 1 | -1): boolean {
  const regions = [...root.querySelectorAll<HTMLElement>("[data-region]")]
    .map((region) => ({ region, first: firstIn(region) }))
    .filter(({ first }) => first !== undefined);
  const active = activeIn(root);
  const present = regions.findIndex(({ region }) => region.contains(active));
  const from = present < 0 && step < 0 ? 0 : present;
  const { first } = regions[(from + step + regions.length) % regions.length] ?? {};
  first?.focus();
  return first !== undefined;
}

function activeIn(root: HTMLElement): Element | null {
  return (root.getRootNode() as Document | ShadowRoot).activeElement;
}

/** Return the region itself if it is focusable, else its first visible control. */
function firstIn(region: HTMLElement): HTMLElement | undefined {
  if (region.hasAttribute("tabindex")) return region;
  const inside = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)];
  return inside.find((element) => element.getClientRects().length > 0 && element.tabIndex >= 0);
}
