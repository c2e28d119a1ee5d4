/** Rows of ports: inputs at the left, outputs at the right; on a collapsed node without labels. */

import { memo, type ReactElement } from "react";

import { type Catalog, colourOf } from "../graph/catalog";
import { portPlaceOn } from "../graph/layout/geometry";
import { portLabel } from "../graph/portLabels";
import { isOpenInput } from "../graph/problems";
import type { ModuleSpec, PipelineNode, PortSpec, Problem, Side } from "../graph/types";
import { Port } from "./Port";

/** Width of a node's border, inside which its ports are positioned. */
const BORDER = 1;

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec;
  readonly catalog: Catalog;
  readonly problems: readonly Problem[];
}

export const NodePorts = memo(function NodePorts(props: Props): ReactElement {
  const { node, module, catalog, problems } = props;
  const rows = Math.max(module.inputs.length, module.outputs.length);
  const isOpen = (port: PortSpec): boolean =>
    problems.some((problem) => problem.port === port.id && isOpenInput(problem));
  const drawn = (side: Side, index: number): ReactElement | undefined => {
    const port = module[`${side}s`][index];
    return (
      port && (
        <Port
          key={side + port.id}
          node={node.id}
          port={port}
          side={side}
          colour={colourOf(catalog, port.type)}
          open={side === "input" && isOpen(port)}
          top={node.collapsed ? portPlaceOn(node, module, side, index).y - BORDER : undefined}
        />
      )
    );
  };
  if (node.collapsed) {
    return (
      <>
        {module.inputs.map((_port, index) => drawn("input", index))}
        {module.outputs.map((_port, index) => drawn("output", index))}
      </>
    );
  }
  return (
    <div className="pd-ports">
      {Array.from({ length: rows }, (_, row) => {
        const input = module.inputs[row];
        const output = module.outputs[row];
        return (
          <div className="pd-port-row" key={row}>
            <span>{input && portLabel(input, node, module)}</span>
            <span>{output && portLabel(output, node, module)}</span>
            {drawn("input", row)}
            {drawn("output", row)}
          </div>
        );
      })}
    </div>
  );
});
