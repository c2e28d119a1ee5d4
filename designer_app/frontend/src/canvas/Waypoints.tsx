/** Waypoints of a wire: moved by dragging, removed by a double-click. */

import { EdgeLabelRenderer, useReactFlow } from "@xyflow/react";
import { type PointerEvent, type ReactElement, useRef } from "react";

import { endOf } from "../graph/lookup";
import type { Position } from "../graph/types";
import { moveWaypoint } from "../graph/leading";
import { removeWaypoints } from "../graph/waypoints";
import { selectIsReadOnly } from "../store/selectors";
import { useEditor, useEditorState } from "../view/context";
import { t } from "../graph/translate";

interface Props {
  /** Id of the wire. */
  readonly wire: string;
  readonly colour: string;
  readonly points: readonly Position[];
  /** Positions while a waypoint is dragged; null when it was released. */
  readonly onDrag: (points: readonly Position[] | null) => void;
}

export function Waypoints({ wire, colour, points, onDrag }: Props): ReactElement {
  const editor = useEditor();
  const flow = useReactFlow();
  const frozen = useEditorState(selectIsReadOnly);
  const held = useRef<number | null>(null);
  const at = (event: PointerEvent): Position =>
    flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
  const take = (event: PointerEvent<HTMLElement>, place: number): void => {
    if (frozen || event.button !== 0) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = place;
  };
  const drag = (event: PointerEvent): void => {
    if (held.current !== null) onDrag(points.with(held.current, at(event)));
  };
  const drop = (event: PointerEvent): void => {
    const place = held.current;
    held.current = null;
    onDrag(null);
    if (place === null || event.type === "pointercancel") return;
    const to = at(event);
    editor.dispatch((d) => moveWaypoint(d, endOf(wire), place, to), { label: t("Route wire") });
  };
  const remove = (place: number): void => {
    if (frozen) return;
    const label = t("Remove waypoint");
    editor.dispatch((d) => removeWaypoints(d, endOf(wire), place), { label });
  };
  // above the reconnectable ends, which extend far into a short wire
  return (
    <EdgeLabelRenderer>
      {points.map(({ x, y }, place) => (
        <div
          key={place}
          className="pd-waypoint nopan nodrag"
          data-testid={`waypoint-${place}`}
          data-type={colour}
          title={t("Drag to move, double-click to remove")}
          style={{ left: x, top: y }}
          onPointerDown={(event) => take(event, place)}
          onPointerMove={drag}
          onPointerUp={drop}
          onPointerCancel={drop}
          onDoubleClick={(event) => {
            event.stopPropagation();
            remove(place);
          }}
        />
      ))}
    </EdgeLabelRenderer>
  );
}
