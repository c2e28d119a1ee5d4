/** Critical path of a run: the chain of nodes that determined its end. */

import type { PipelineDocument, StepState } from "./types";

type Steps = Readonly<Record<string, StepState>>;

/** Return the ids on the critical path: from the node that ended last, back along the latest
 * inputs. */
export function criticalPath(document: PipelineDocument, steps: Steps): ReadonlySet<string> {
  const parents = new Map<string, string[]>();
  for (const link of document.links) {
    const known = parents.get(link.to.node);
    if (known) known.push(link.from.node);
    else parents.set(link.to.node, [link.from.node]);
  }
  const path = new Set<string>();
  let node = latest(
    document.nodes.map((node) => node.id),
    steps,
  );
  while (node !== undefined && !path.has(node)) {
    path.add(node);
    node = latest(parents.get(node) ?? [], steps);
  }
  return path;
}

/** Return the started node that ended last; a running one ends last of all. */
function latest(nodes: readonly string[], steps: Steps): string | undefined {
  let last: string | undefined;
  let end = -Infinity;
  for (const node of nodes) {
    const step = steps[node];
    if (!step || step.started === null || step.status === "reused") continue;
    const finished = step.finished ?? Infinity;
    if (finished > end) [last, end] = [node, finished];
  }
  return last;
}
