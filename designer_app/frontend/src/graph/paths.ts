/** Paths of nodes in sub-pipelines: `front/split` is `split` in the sub-pipeline of `front`. */

import { findNode, remembered } from "./lookup";
import type { PipelineDocument, StepState } from "./types";
import { t } from "./translate";

type Steps = Readonly<Record<string, StepState>>;

/** Return the first node of a path, which is on the canvas. */
export function outermost(path: string): string {
  return path.split("/", 1)[0] ?? path;
}

/** Nodes of the ports of a sub-pipeline while its inside is shown. */
export const INPUTS = "@inputs";
export const OUTPUTS = "@outputs";
/** Port that becomes a new port when it is linked. */
export const NEW_PORT = "+";

export function isBoundary(path: string): boolean {
  return path.includes("@");
}

/** Return the id of a node in its own definition: `split` of `front/split`. */
export function localName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Return the path of the enclosing node; empty on the canvas of the pipeline. */
export function placeAround(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Return the node of a document that a path leads to or through; undefined if there is none. */
export function shownNode(document: PipelineDocument, path: string): string | undefined {
  for (let id = path; id; id = placeAround(id)) if (findNode(document, id)) return id;
  return undefined;
}

/** Return true for the node itself and everything inside it. */
export function isWithin(path: string, node: string): boolean {
  return path === node || path.startsWith(`${node}/`);
}

export function isInside(path: string | null): boolean {
  return path !== null && path.includes("/");
}

/** Return the step of a node; for a sub-pipeline, the combined steps inside. */
export function stepAt(steps: Steps, id: string): StepState | undefined {
  return steps[id] ?? sums(steps).get(id);
}

const sums = remembered((steps: Steps): ReadonlyMap<string, StepState> => {
  const inside = new Map<string, StepState[]>();
  for (const [path, step] of Object.entries(steps)) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      const list = inside.get(path.slice(0, end));
      if (list) list.push(step);
      else inside.set(path.slice(0, end), [step]);
    }
  }
  return new Map([...inside].map(([id, list]) => [id, summed(list)]));
});

/** States that decide the combined state, most important first; otherwise all are equal. */
const DECISIVE = ["failed", "running", "finalising", "preparing", "cancelled", "skipped"] as const;

/** Combine several steps into one: their status, from the first start to the last end. */
function summed(steps: readonly StepState[]): StepState {
  const decisive = DECISIVE.map((status) => steps.find((step) => step.status === status));
  const first = decisive.find((step) => step !== undefined);
  const waiting = steps.find((step) => step.status === "queued" || step.status === "not started");
  const [any] = steps as readonly [StepState, ...StepState[]];
  const starts = steps.flatMap((step) => step.started ?? []);
  const ended = steps.flatMap((step) => step.finished ?? []);
  const isOver = steps.every((step) => step.finished !== null || step.status === "reused");
  const made = steps.find((step) => step.status === "completed");
  const done = steps.filter((step) => step.status === "completed" || step.status === "reused");
  const present = first ?? (done.length ? (waiting ?? made) : waiting) ?? any;
  return {
    ...present,
    status: first === undefined && waiting && made ? "running" : present.status,
    started: starts.length ? Math.min(...starts) : null,
    finished: isOver && ended.length ? Math.max(...ended) : null,
    problem: steps.find((step) => step.problem)?.problem ?? null,
    progress: { done: done.length, total: steps.length, unit: "nodes" },
    summary: t("{done} of {count} {count:node|nodes} completed", {
      done: done.length,
      count: steps.length,
    }),
    warnings: steps.flatMap((step) => step.warnings),
    phases: [],
  };
}
