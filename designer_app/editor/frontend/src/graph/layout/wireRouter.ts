/** What leads wires round nodes: loaded beside the first picture of a pipeline. */

export { portalLetters, portalSides } from "./portals";
export { wirePaths } from "./wirePaths";
