/** Wire with a long way back as two short ends with one letter; the route is shown on demand. */

import type { EdgeProps } from "@xyflow/react";
import type { ReactElement } from "react";

import { PORTAL } from "../graph/layout/geometry";

type Ends = Pick<EdgeProps, "id" | "sourceX" | "sourceY" | "targetX" | "targetY">;

interface Props extends Ends {
  readonly letter: string;
  readonly colour: string;
  /** Side of the letter at an output with another wire: 1 is below the wire, -1 above. */
  readonly side?: number | undefined;
}

/** Distance from the center of a letter to the wire next to it. */
const ASIDE = 13;

export function WirePortals({ letter, colour, side = 0, ...ends }: Props): ReactElement {
  const { id, sourceX, sourceY, targetX, targetY } = ends;
  return (
    <g className="pd-portals" data-type={colour} data-testid={`portals-${id}`} aria-hidden>
      <Portal x={sourceX} y={sourceY} way={1} aside={side * ASIDE} letter={letter} />
      <Portal x={targetX} y={targetY} way={-1} letter={letter} />
    </g>
  );
}

interface PortalProps {
  readonly x: number;
  readonly y: number;
  /** Direction: right of an output, left of an input. */
  readonly way: 1 | -1;
  readonly aside?: number;
  readonly letter: string;
}

function Portal({ x, y, way, aside = 0, letter }: PortalProps): ReactElement {
  const middle = x + way * (PORTAL.stub + PORTAL.radius);
  const height = y + aside;
  return (
    <>
      <path className="pd-portal-stub" d={`M${x} ${y}L${middle} ${height}`} />
      <circle cx={middle} cy={height} r={PORTAL.radius} />
      <text x={middle} y={height} dy="0.36em" textAnchor="middle">
        {letter}
      </text>
    </>
  );
}
