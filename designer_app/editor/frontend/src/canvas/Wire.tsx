/** A wire, in the colour of the type that flows through it. */

import type { EdgeProps } from "@xyflow/react";
import { memo, type ReactElement } from "react";

import { laneOf, edgePath } from "./edgePath";
import { dataOf } from "./routedEdges";
import { useIsDropLink } from "./connectionDrag";

export const Wire = memo(function Wire(props: EdgeProps): ReactElement {
  const { colour, muted, path: routed } = dataOf(props);
  const path = routed ?? edgePath(props, laneOf(props.id));
  const isTarget = useIsDropLink(props.id);
  return (
    <>
      <path
        className="pd-wire"
        d={path}
        data-type={colour}
        data-muted={muted}
        data-target={isTarget || undefined}
      />
      <path
        className="react-flow__edge-interaction"
        d={path}
        fill="none"
        strokeOpacity={0}
        strokeWidth={18}
      />
    </>
  );
});
