/** Wire in the color of its type. */

import type { EdgeProps } from "@xyflow/react";
import { memo, type ReactElement, useState } from "react";

import type { Position } from "../graph/types";
import { edgePath, laneOf, pathThrough } from "./edgePath";
import { Waypoints, WirePortals } from "./laterParts";
import { dataOf } from "./routedEdges";
import { useIsDropLink } from "./connectionDrag";

export const Wire = memo(function Wire(props: EdgeProps): ReactElement {
  const { colour, muted, path: routed, waypoints, portal, side } = dataOf(props);
  const [dragged, setDragged] = useState<readonly Position[] | null>(null);
  const points = dragged ?? waypoints;
  const path =
    points.length > 0 ? led(props, points) : (routed ?? edgePath(props, laneOf(props.id)));
  const isTarget = useIsDropLink(props.id);
  return (
    <>
      <path
        className="pd-wire"
        d={path}
        data-type={colour}
        data-muted={muted}
        data-target={isTarget || undefined}
        data-portal={portal}
      />
      <path
        className="react-flow__edge-interaction"
        d={path}
        fill="none"
        strokeOpacity={0}
        strokeWidth={18}
      />
      {portal && <WirePortals {...props} label={portal} side={side} colour={colour} />}
      {points.length > 0 && (
        <Waypoints wire={props.id} colour={colour} points={points} onDrag={setDragged} />
      )}
    </>
  );
});

function led(ends: EdgeProps, points: readonly Position[]): string {
  const { sourceX, sourceY, targetX, targetY } = ends;
  return pathThrough([{ x: sourceX, y: sourceY }, ...points, { x: targetX, y: targetY }]);
}
