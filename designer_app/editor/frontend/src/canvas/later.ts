/** The parts of the canvas that come after its first picture; see laterParts.tsx. */

export { CanvasExtras } from "./CanvasExtras";
export { BoundaryNode } from "./BoundaryNode";
export { Breadcrumb } from "./Breadcrumb";
export { EmptyCanvas } from "./EmptyCanvas";
export { GroupNode } from "./GroupNode";
export { Waypoints } from "./Waypoints";
export { WirePortals } from "./WirePortals";
export { leadThrough } from "./leadThrough";
export { NoteNode } from "./NoteNode";
