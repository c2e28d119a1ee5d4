/** A node seen from far away: a box with its name, and its ports so that wires stay. */

import { memo, type ReactElement } from "react";

import { type Catalog, moduleColour } from "../graph/catalog";
import { portPlace } from "../graph/geometry";
import { titleOf } from "../graph/search";
import type { ModuleSpec, PipelineNode, Problem, Side, StepState } from "../graph/types";
import { StatusPill } from "../parts/StatusPill";

const MOST_LETTERS = 40;

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
  readonly step: StepState | undefined;
  readonly problems: readonly Problem[];
}

export const FarNode = memo(function FarNode(props: Props): ReactElement {
  const { node, module, catalog, step, problems } = props;
  return (
    <div
      className="pd-node-far"
      data-testid={`node-${node.id}`}
      data-type={module ? moduleColour(catalog, module) : "grey"}
      data-status={step?.status}
      data-problem={problems.some((each) => each.severity === "error") ? "error" : undefined}
    >
      {shortened(titleOf(node, catalog))}
      {module?.inputs.map((port, index) => (
        <End key={port.id} id={port.id} side="input" index={index} />
      ))}
      {module?.outputs.map((port, index) => (
        <End key={port.id} id={port.id} side="output" index={index} />
      ))}
      <span className="pd-sr">
        <StatusPill node={node.id} step={step} />
      </span>
    </div>
  );
});

/** What fits into the box: cutting it off by style takes half the frames of a large graph. */
function shortened(title: string): string {
  return title.length > MOST_LETTERS ? `${title.slice(0, MOST_LETTERS - 1)}…` : title;
}

interface EndProps {
  readonly id: string;
  readonly side: Side;
  readonly index: number;
}

/** The end of a wire: React Flow finds it by its class, and it costs next to nothing. */
function End({ id, side, index }: EndProps): ReactElement {
  const { x, y } = portPlace(side, index);
  return (
    <i
      className={side === "input" ? "target" : "source"}
      data-handleid={id}
      data-handlepos={side === "input" ? "left" : "right"}
      style={{ left: x - 6, top: y - 6 }}
    />
  );
}
