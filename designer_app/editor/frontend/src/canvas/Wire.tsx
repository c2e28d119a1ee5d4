/** A wire, in the colour of the type that flows through it. */

import type { EdgeProps } from "@xyflow/react";
import { memo, type ReactElement } from "react";

import { laneOf, edgePath } from "./edgePath";
import { useIsDropLink } from "./connectionDrag";

export const Wire = memo(function Wire(props: EdgeProps): ReactElement {
  const path = edgePath(props, laneOf(props.id));
  const isTarget = useIsDropLink(props.id);
  const data = props.data as { colour: string; muted: boolean } | undefined;
  return (
    <>
      <path
        className="pd-wire"
        d={path}
        data-type={data?.colour}
        data-muted={data?.muted}
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
