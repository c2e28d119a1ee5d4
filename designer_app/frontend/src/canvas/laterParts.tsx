/** Parts of the canvas that its first paint does not need: rendered as soon as they are loaded. */

import { type ComponentType, type ReactElement, Suspense, lazy, useState } from "react";

import { importWithRetry } from "../ui/importWithRetry";

// Started early, so that it is loaded soon after the pipeline
const later = importWithRetry(() => import("./later"));
type Later = Awaited<typeof later>;
let loaded: Later | undefined;
later.then(
  (parts) => (loaded = parts),
  () => undefined, // the part that is drawn reports it
);

export const CanvasExtras = drawnLater((parts) => parts.CanvasExtras);
export const CanvasStyles = drawnLater((parts) => parts.CanvasStyles);
export const BoundaryNode = drawnLater((parts) => parts.BoundaryNode);
export const GroupNode = drawnLater((parts) => parts.GroupNode);
export const Waypoints = drawnLater((parts) => parts.Waypoints);
export const WirePortals = drawnLater((parts) => parts.WirePortals);
export const FailureCard = drawnLater((parts) => parts.FailureCard);
export const NodePreview = drawnLater((parts) => parts.NodePreview);
export const NoteNode = drawnLater((parts) => parts.NoteNode);
export const ExpandButton = drawnLater((parts) => parts.ExpandButton);
export const RenameField = drawnLater((parts) => parts.RenameField);
export const PinMark = drawnLater((parts) => parts.PinMark);
export const SweepMark = drawnLater((parts) => parts.SweepMark);

function drawnLater<Props extends object>(
  pick: (parts: Later) => ComponentType<Props>,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: pick(await later) as ComponentType<object> }));
  return function Later(props: Props): ReactElement {
    // drawn at once if it is loaded, so that a field has the focus before the next key
    const [Drawn] = useState<ComponentType<Props>>(() => (loaded ? pick(loaded) : Part));
    return (
      <Suspense fallback={null}>
        <Drawn {...props} />
      </Suspense>
    );
  };
}
