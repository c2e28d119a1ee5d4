/** Problems: those found here at once, and those only the server can find, as it last said. */

import type { Catalog } from "../graph/catalog";
import { sameValue } from "../graph/edits";
import { findNode, linksInto } from "../graph/lookup";
import type { ComputeTarget, PipelineDocument, Problem } from "../graph/types";
import { LOCAL_CODES, validate } from "../graph/checks";

/** What the server said, and of which document. */
export interface ServerVerdict {
  readonly document: PipelineDocument;
  readonly problems: readonly Problem[];
}

export type ProblemsByNode = Readonly<Record<string, readonly Problem[]>>;

/** All problems of a document in the order of its nodes, those of the whole pipeline first. */
export function allProblems(
  document: PipelineDocument,
  catalog: Catalog,
  targets: readonly ComputeTarget[],
  server: ServerVerdict | null,
): readonly Problem[] {
  const local = validate(document, catalog, targets.length ? targets : undefined);
  const known = new Set(local.map(nameOf));
  const added = (server?.problems ?? []).filter(
    (problem) =>
      !LOCAL_CODES.has(problem.code) &&
      !known.has(nameOf(problem)) &&
      isOfNow(problem, document, server?.document),
  );
  const places = new Map(document.nodes.map((node, place) => [node.id, place]));
  const placeOf = (problem: Problem): number =>
    problem.node === null ? -1 : (places.get(problem.node) ?? -1);
  return [...local, ...added].sort((one, other) => placeOf(one) - placeOf(other));
}

/** By node; lists that hold the same as before are the same as before. */
export function byNode(problems: readonly Problem[], before: ProblemsByNode): ProblemsByNode {
  const lists: Record<string, Problem[]> = {};
  for (const problem of problems) {
    if (problem.node !== null) (lists[problem.node] ??= []).push(problem);
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
  const node = findNode(document, problem.node);
  const then = judged && findNode(judged, problem.node);
  if (!node || !judged || !then) return false;
  const isEdited = node !== then && !sameValue(node.parameters, then.parameters);
  return !isEdited && sameValue(linksInto(document, node.id), linksInto(judged, node.id));
}

function nameOf(problem: Problem): string {
  return [problem.code, problem.node, problem.port, problem.parameter].join(" ");
}
