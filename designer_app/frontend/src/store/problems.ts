/** Problems as last reported by the server, in the form in which they are shown. */

import { sameValue } from "../graph/edits";
import { findNode } from "../graph/lookup";
import { outermost, placeAround } from "../graph/paths";
import { isForeignCode } from "../graph/problems";
import type { PipelineDocument, Problem } from "../graph/types";

/** Problems that the server found in a document. */
export interface ServerVerdict {
  readonly document: PipelineDocument;
  readonly problems: readonly Problem[];
}

/** Record of code that was written here; several parameters of a node may make up one call, whose
 * problem is reported at one of them. */
export interface Written {
  isWritten(node: string): boolean;
}

export type ProblemsByNode = Readonly<Record<string, readonly Problem[]>>;

/** Return the problems of existing nodes, in the order of the nodes; those of the pipeline come
 * first. */
export function shownProblems(
  document: PipelineDocument,
  problems: readonly Problem[],
  written?: Written,
): readonly Problem[] {
  const places = new Map(document.nodes.map((node, place) => [node.id, place]));
  const placeOf = ({ node }: Problem): number =>
    node === null ? -1 : (places.get(outermost(node)) ?? -1);
  const isShown = (problem: Problem): boolean => {
    const { node } = problem;
    if (node === null) return true;
    if (!findNode(document, outermost(node))) return false;
    return !(isForeignCode(problem) && written?.isWritten(node));
  };
  return problems.filter(isShown).sort((one, other) => placeOf(one) - placeOf(other));
}

/** Group problems by node; an unchanged list keeps its identity. */
export function byNode(problems: readonly Problem[], before: ProblemsByNode): ProblemsByNode {
  const lists: Record<string, Problem[]> = {};
  for (const problem of problems) {
    // problems of an inner node are also listed at each node that contains it
    for (let id = problem.node ?? ""; id; id = placeAround(id)) (lists[id] ??= []).push(problem);
  }
  const kept: Record<string, readonly Problem[]> = {};
  for (const [node, list] of Object.entries(lists)) {
    const old = before[node];
    kept[node] = old && sameValue(old, list) ? old : list;
  }
  return kept;
}
