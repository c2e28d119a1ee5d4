/** Node seen from far away: a box with its name; the ends of its wires are computed, not
 * measured. */

import { memo, type ReactElement, type ReactNode } from "react";

import { type Catalog, moduleColour } from "../graph/catalog";
import { isOpenInput } from "../graph/problems";
import { titleOf } from "../graph/search";
import { hyphenated } from "./hyphens";
import type { ModuleSpec, PipelineNode, Problem, StepState } from "../graph/types";
import { StatusPill } from "../ui/StatusPill";

const MOST_LETTERS = 40;
/** Limit for a collapsed node, whose smaller title has two lines. */
const MOST_COLLAPSED = 30;

interface Props {
  readonly node: PipelineNode;
  readonly module: ModuleSpec | undefined;
  readonly catalog: Catalog;
  readonly step: StepState | undefined;
  readonly problems: readonly Problem[];
  /** False if the name is painted elsewhere. */
  readonly isNamed: boolean;
  readonly children?: ReactNode;
}

export const CompactNode = memo(function CompactNode(props: Props): ReactElement {
  const { node, module, catalog, step, problems, isNamed, children } = props;
  const most = node.collapsed ? MOST_COLLAPSED : MOST_LETTERS;
  return (
    <div
      className="pd-node-far"
      data-testid={`node-${node.id}`}
      data-type={node.color ?? (module ? moduleColour(catalog, module) : "grey")}
      data-status={step?.status}
      data-problem={problems.some(isFault) ? "error" : undefined}
      data-collapsed={node.collapsed || undefined}
    >
      {isNamed && hyphenated(shortened(titleOf(node, catalog), most))}
      <span className="pd-sr">
        <StatusPill node={node.id} step={step} pinned={!!node.pin && step?.status === "reused"} />
      </span>
      {children}
    </div>
  );
});

function isFault(problem: Problem): boolean {
  return problem.severity === "error" && !isOpenInput(problem);
}

/** Shorten a title to fit the box: truncation by CSS takes half the frames of a large graph. */
function shortened(title: string, most: number): string {
  return title.length > most ? `${title.slice(0, most - 1)}…` : title;
}
