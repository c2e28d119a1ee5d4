/** Rows of ports: inputs at the left, outputs at the right. */

import { memo, type ReactElement } from "react";

import { type Catalog, colourOf } from "../graph/catalog";
import { portLabel } from "../graph/portLabels";
import { isOpenInput } from "../graph/problems";
import type { ModuleSpec, PipelineNode, PortSpec, Problem } from "../graph/types";
import { Port } from "./Port";

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
  return (
    <div className="pd-ports">
      {Array.from({ length: rows }, (_, row) => {
        const input = module.inputs[row];
        const output = module.outputs[row];
        return (
          <div className="pd-port-row" key={row}>
            <span>{input && portLabel(input, node, module)}</span>
            <span>{output && portLabel(output, node, module)}</span>
            {input && (
              <Port
                node={node.id}
                port={input}
                side="input"
                colour={colourOf(catalog, input.type)}
                open={isOpen(input)}
              />
            )}
            {output && (
              <Port
                node={node.id}
                port={output}
                side="output"
                colour={colourOf(catalog, output.type)}
                open={false}
              />
            )}
          </div>
        );
      })}
    </div>
  );
});
