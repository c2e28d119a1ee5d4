/* Python chose colours for the theme of then: called anew in another one, it is to draw anew. */
export default ({ parentElement: { host }, setTriggerValue }) => {
  const colour = getComputedStyle(host).getPropertyValue("--st-background-color");
  host.tabIndex = -1; // there is nothing to reach in it
  const before = host.dataset.ground;
  host.dataset.ground = colour;
  if (before && before !== colour) setTriggerValue("theme", colour);
};
