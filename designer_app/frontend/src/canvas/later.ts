/** Parts of the canvas that are loaded after its first paint; see laterParts.tsx. */

export { CanvasExtras } from "./CanvasExtras";
export { CanvasStyles } from "./CanvasStyles";
export { BoundaryNode } from "./BoundaryNode";
export { GroupNode } from "./GroupNode";
export { Waypoints } from "./Waypoints";
export { WirePortals } from "./WirePortals";
export { insertDropped } from "./insertDropped";
export { leadThrough } from "./leadThrough";
export { FailureCard } from "./FailureCard";
export { NodePreview } from "./NodePreview";
export { NoteNode } from "./NoteNode";
export { PinMark } from "./PinMark";
export { SweepMark } from "./SweepMark";
export { ExpandButton } from "./ExpandButton";
export { RenameField } from "./RenameField";
