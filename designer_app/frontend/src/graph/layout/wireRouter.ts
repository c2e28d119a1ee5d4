/** Router of wires around nodes, loaded together with the pipeline's first paint. */

export { portalLabels, portalSides } from "./portals";
export { wirePaths } from "./wirePaths";
