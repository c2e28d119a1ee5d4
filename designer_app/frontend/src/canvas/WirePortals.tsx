/** Wire across several nodes as two short ends with one label; the route is shown on demand. */

import type { EdgeProps } from "@xyflow/react";
import type { ReactElement } from "react";

import { TAB, tabWidth } from "../graph/layout/geometry";

type Ends = Pick<EdgeProps, "id" | "sourceX" | "sourceY" | "targetX" | "targetY">;

interface Props extends Ends {
  readonly label: string;
  readonly colour: string;
  /** Side of the tab at an output with another wire: 1 is below the wire, -1 above. */
  readonly side?: number | undefined;
}

/** Distance from the center of a tab to the wire next to it. */
const ASIDE = 13;

export function WirePortals({ label, colour, side = 0, ...ends }: Props): ReactElement {
  const { id, sourceX, sourceY, targetX, targetY } = ends;
  return (
    <g className="pd-portals" data-type={colour} data-testid={`portals-${id}`} aria-hidden>
      <Portal x={sourceX} y={sourceY} way={1} aside={side * ASIDE} label={label} />
      <Portal x={targetX} y={targetY} way={-1} label={label} />
    </g>
  );
}

interface PortalProps {
  readonly x: number;
  readonly y: number;
  /** Direction: right of an output, left of an input. */
  readonly way: 1 | -1;
  readonly aside?: number;
  readonly label: string;
}

function Portal({ x, y, way, aside = 0, label }: PortalProps): ReactElement {
  const width = tabWidth(label);
  const edge = x + way * TAB.stub;
  const left = way === 1 ? edge : edge - width;
  const middle = y + aside;
  return (
    <>
      <path className="pd-portal-stub" d={`M${x} ${y}L${edge} ${middle}`} />
      <rect
        x={left}
        y={middle - TAB.height / 2}
        width={width}
        height={TAB.height}
        rx={TAB.height / 2}
      />
      <text x={left + width / 2} y={middle} dy="0.36em" textAnchor="middle">
        {label}
      </text>
    </>
  );
}
