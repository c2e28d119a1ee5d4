/** Problems: those found here at once, and those only the server can find, as it last said. */

import type { Catalog } from "../graph/catalog";
import { sameValue } from "../graph/edits";
import { findNode, linksInto } from "../graph/lookup";
import { isInside, outermost, placeAround } from "../graph/paths";
import type { ComputeTarget, PipelineDocument, Problem } from "../graph/types";
import { LOCAL_CODES, validate } from "../graph/checks";
import { isForeignCode } from "../graph/problems";

/** What the server said, and of which document. */
export interface ServerVerdict {
  readonly document: PipelineDocument;
  readonly problems: readonly Problem[];
}

/** What was found at a place inside a sub-pipeline. */
export interface Inside {
  readonly place: string;
  readonly problems: readonly Problem[];
}

/** Where code was written; several parameters of a node may be one call, told of at one of them. */
export interface Written {
  isWritten(node: string): boolean;
}

export type ProblemsByNode = Readonly<Record<string, readonly Problem[]>>;

/** All problems of a document in the order of its nodes, those of the whole pipeline first. */
export function allProblems(
  document: PipelineDocument,
  catalog: Catalog,
  targets: readonly ComputeTarget[],
  server: ServerVerdict | null,
  inside: Inside | null = null,
  written?: Written,
): readonly Problem[] {
  const local = [
    ...validate(document, catalog, targets.length ? targets : undefined),
    ...(inside?.problems ?? []),
  ];
  const known = new Set(local.map(nameOf));
  const added = (server?.problems ?? []).filter(
    (problem) =>
      (!LOCAL_CODES.has(problem.code) || isElsewhere(problem, inside)) &&
      !known.has(nameOf(problem)) &&
      !(isForeignCode(problem) && written?.isWritten(problem.node ?? "")) &&
      isOfNow(problem, document, server?.document),
  );
  const places = new Map(document.nodes.map((node, place) => [node.id, place]));
  const placeOf = (problem: Problem): number =>
    problem.node === null ? -1 : (places.get(outermost(problem.node)) ?? -1);
  return [...local, ...added].sort((one, other) => placeOf(one) - placeOf(other));
}

/** True for a node inside a sub-pipeline that is not the one that is shown. */
function isElsewhere({ node }: Problem, inside: Inside | null): boolean {
  return isInside(node) && node !== null && placeAround(node) !== inside?.place;
}

/** By node; lists that hold the same as before are the same as before. */
export function byNode(problems: readonly Problem[], before: ProblemsByNode): ProblemsByNode {
  const lists: Record<string, Problem[]> = {};
  for (const problem of problems) {
    // of a node inside also where each node around it is shown
    for (let id = problem.node ?? ""; id; id = placeAround(id)) (lists[id] ??= []).push(problem);
  }
  const kept: Record<string, readonly Problem[]> = {};
  for (const [node, list] of Object.entries(lists)) {
    const old = before[node];
    kept[node] = old && sameValue(old, list) ? old : list;
  }
  return kept;
}

/** A verdict on a node that has been edited or connected otherwise since is no longer about it. */
function isOfNow(
  problem: Problem,
  document: PipelineDocument,
  judged: PipelineDocument | undefined,
): boolean {
  if (problem.node === null) return true;
  const node = findNode(document, outermost(problem.node));
  const then = judged && findNode(judged, outermost(problem.node));
  if (!node || !judged || !then) return false;
  const isEdited = node !== then && !sameValue(node.parameters, then.parameters);
  return !isEdited && sameValue(linksInto(document, node.id), linksInto(judged, node.id));
}

function nameOf(problem: Problem): string {
  return [problem.code, problem.node, problem.port, problem.parameter].join(" ");
}
