/* The focus trap of a Streamlit dialog cannot see the controls inside an element. This script moves
   Tab from control to control there, and out after the last. `draw` is the element's function. */
const CONTROLS =
  "button:not([disabled]), a[href], input:not([disabled]), select, textarea, [tabindex='0']";

function controlsOf(shadow) {
  return [...shadow.querySelectorAll(CONTROLS)].filter((each) => each.getClientRects().length);
}

function reachByTab(shadow) {
  const { host } = shadow;
  if (!host?.closest("[role=dialog]") || host.hasAttribute("tabindex")) return;
  host.tabIndex = 0;
  host.addEventListener("focus", ({ relatedTarget: before }) => {
    const after = Node.DOCUMENT_POSITION_FOLLOWING;
    const isBack = before && host.compareDocumentPosition(before) & after;
    if (!shadow.activeElement) controlsOf(shadow).at(isBack ? -1 : 0)?.focus();
  });
  shadow.addEventListener("keydown", (event) => {
    if (event.key !== "Tab") return;
    const controls = controlsOf(shadow);
    const next = controls[controls.indexOf(shadow.activeElement) + (event.shiftKey ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
}

export default (component) => {
  const left = draw(component);
  reachByTab(component.parentElement.getRootNode());
  return left;
};
