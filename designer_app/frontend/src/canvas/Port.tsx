/** Port of a node, where wires start and end. */

import { Handle, Position } from "@xyflow/react";
import { memo, type ReactElement } from "react";

import type { PortSpec, Side } from "../graph/types";
import { useFits } from "./connectionDrag";

interface Props {
  readonly node: string;
  readonly port: PortSpec;
  readonly side: Side;
  readonly colour: string;
  /** True if it requires a wire and has none. */
  readonly open: boolean;
  /** Distance of its middle from the upper edge of a collapsed node. */
  readonly top?: number | undefined;
}

export const Port = memo(function Port(props: Props): ReactElement {
  const { node, port, side, colour, open, top } = props;
  const fits = useFits(side, node, port.id);
  const isInput = side === "input";
  return (
    <Handle
      id={port.id}
      type={isInput ? "target" : "source"}
      position={isInput ? Position.Left : Position.Right}
      className="pd-port"
      data-testid={`port-${node}-${isInput ? "in" : "out"}-${port.id}`}
      data-type={colour}
      data-optional={port.optional || undefined}
      data-open={open || undefined}
      data-fits={fits}
      style={top === undefined ? undefined : { top }}
      title={`${port.title} (${port.type})${port.optional ? ", optional" : ""}: ${port.description}`}
    />
  );
});
