/** Problems as values, with the codes and names of `pipelines/problems.py`. */

import { CHOOSE_ONE, DID_YOU_MEAN, THERE_IS_NONE } from "./sentences/edits.gen";
import { type Statement, about, cureOf, messageOf, reasonOf } from "./sentences/sentence";
import type { JsonValue, Problem } from "./types";

export interface Kind {
  readonly code: string;
  readonly name: string;
}

const kind = (code: string, name: string): Kind => ({ code, name });

export const NULL_OR_EMPTY = kind("0003", "NullOrEmpty");
export const UNKNOWN_MODULE = kind("3001", "UnknownModule");
export const PIPELINE_HAS_CYCLE = kind("3003", "PipelineHasCycle");
export const PORT_TYPE_MISMATCH = kind("3004", "PortTypeMismatch");
export const UNKNOWN_NODE = kind("3005", "UnknownNode");
export const UNKNOWN_PORT = kind("3006", "UnknownPort");
export const INPUT_LINKED_TWICE = kind("3007", "InputLinkedTwice");

export const MORE_PROBLEMS = kind("3090", "MoreProblems");
export const UNKNOWN_DEFINITION = kind("3040", "UnknownDefinition");
export const UNBOUND_PARAMETER = kind("3042", "UnboundParameter");

/** Return true for code from somebody else's pipeline that was not approved here. */
export const isForeignCode = ({ remedy }: Problem): boolean => remedy?.["look_at_code"] === true;

export interface Place {
  readonly node?: string;
  readonly port?: string;
  readonly parameter?: string;
  readonly severity?: "error" | "warning";
  readonly remedy?: { readonly [key: string]: JsonValue } | undefined;
}

export function problemOf(of: Kind, said: Statement, place: Place = {}): Problem {
  return {
    code: of.code,
    name: of.name,
    severity: place.severity ?? "error",
    node: place.node ?? null,
    port: place.port ?? null,
    parameter: place.parameter ?? null,
    message: messageOf(said),
    cure: cureOf(said),
    remedy: place.remedy ?? null,
    details: null,
    ...reasonOf(said),
  };
}

/** Return the first line of a message; lines of a log may follow. */
export function headlineOf(message: string): string {
  const end = message.indexOf("\n");
  return end < 0 ? message : message.slice(0, end).replace(/:$/, ".");
}

/** Return the lines below the headline; empty if there are none. */
export function linesOf(message: string): string {
  const end = message.indexOf("\n");
  return end < 0 ? "" : message.slice(end + 1);
}

/** Return the number of problems in a list; the last item may stand for more. */
export function numProblems(problems: readonly Problem[]): number {
  return problems.reduce((sum, { code, facts }) => {
    const count = code === MORE_PROBLEMS.code ? facts?.["count"] : 1;
    return sum + (typeof count === "number" ? count : 1);
  }, 0);
}

/** Invalid edit: nothing was changed. */
export class EditRefused extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map((problem) => `${problem.message} ${problem.cure}`).join("\n"));
    this.name = "EditRefused";
  }
}

export function refuse(of: Kind, said: Statement, place: Place = {}): never {
  throw new EditRefused([problemOf(of, said, place)]);
}

const NEAR = 0.6;

/** `Did you mean 'epochs'?`, or the known names if none is similar. */
export function didYouMean(word: string, known: readonly string[]): Statement {
  const names = [...known].sort();
  let [near, best] = ["", NEAR];
  for (const name of names) {
    const likeness = (2 * numMatching(name, word)) / (name.length + word.length);
    if (likeness >= best) [near, best] = [name, likeness];
  }
  if (near) return about(DID_YOU_MEAN, { near });
  return names.length ? about(CHOOSE_ONE, { names }) : about(THERE_IS_NONE, {});
}

/** Return the length of the longest common part, plus those before and after it. */
function numMatching(one: string, other: string): number {
  let [size, start, at] = [0, 0, 0];
  for (let i = 0; i + size < one.length; i += 1) {
    for (let j = 0; j + size < other.length; j += 1) {
      let length = 0;
      while (i + length < one.length && one[i + length] === other[j + length]) length += 1;
      if (length > size) [size, start, at] = [length, i, j];
    }
  }
  if (size === 0) return 0;
  const before = numMatching(one.slice(0, start), other.slice(0, at));
  return before + size + numMatching(one.slice(start + size), other.slice(at + size));
}

/** Return the problem of a value set by binds such as `train.epochs`; undefined if there is none. */
export function problemAt(
  problems: readonly Problem[],
  binds: readonly string[],
): Problem | undefined {
  return problems.find(
    ({ node, parameter }) => parameter !== null && binds.includes(`${node ?? ""}.${parameter}`),
  );
}

/** Return true for an input without a wire: a task rather than an error. */
export function isOpenInput(problem: Problem): boolean {
  return problem.code === NULL_OR_EMPTY.code && problem.port !== null;
}
