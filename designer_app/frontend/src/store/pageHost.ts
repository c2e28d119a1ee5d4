/** Connection to Python of the current mount of the page around the editors. */

import { innermost } from "../graph/definitions";
import { nodesById } from "../graph/lookup";
import { stepAt } from "../graph/paths";
import { hasSucceeded } from "../graph/runState";
import type { Endpoint, PortSpec } from "../graph/types";
import type { EditorState } from "./types";

type Send = (name: string, value: unknown) => void;

let send: Send | null = null;

/** Set the connection of the newest mount: editors outlive their mounts. */
export function setHost(newest: Send): void {
  send = newest;
}

export function openOnPage(pipelineId: string): void {
  send?.("open", { pipeline_id: pipelineId });
}

export function openReplayOnPage(replayId: string): void {
  send?.("open", { replay_id: replayId });
}

/** Page of the app, and what it should show. */
export type Place =
  | { readonly page: "run"; readonly run: string }
  | { readonly page: "sweep"; readonly sweep: string }
  | { readonly page: "home" }
  | { readonly page: "compare"; readonly runs: readonly string[] };

export function goOnPage(place: Place): void {
  send?.("go", place);
}

/** Return the outputs of a node that can be opened in the shown run. */
export function outputsOf(
  { run, document, catalog }: EditorState,
  id: string,
): readonly PortSpec[] {
  const step = run && stepAt(run.steps, id);
  const node = nodesById(document).get(id);
  if (!step || !node || !hasSucceeded(step)) return [];
  return catalog.byId.get(node.module)?.outputs ?? [];
}

/** First view of an output: its default, the one that tries an image, or that registers a model. */
type View = "first" | "try" | "register";

/** Open an output; false if it is not available yet. */
export function openOutput(
  state: EditorState,
  node: string,
  port?: unknown,
  view: View = "first",
): boolean {
  const outputs = outputsOf(state, node);
  const output =
    outputs.find((candidate) => candidate.id === port) ?? (port === undefined && outputs[0]);
  if (!output || !state.run) return false;
  const inner = innermost(state.document, { node, port: output.id }, "outputs");
  openRunOutput(state.run.id, inner, view);
  for (const listener of outputListeners) listener(node, output.id);
  return true;
}

/** Open an output of a node by its path, independently of the canvas. */
export function openRunOutput(run: string, output: Endpoint, view: View = "first"): void {
  send?.("look", { run, ...output, view });
}

type OutputListener = (node: string, port: string) => void;

const outputListeners = new Set<OutputListener>();

/** Report every output that is opened; returns a function that stops it. */
export function watchOpenedOutputs(listener: OutputListener): () => void {
  outputListeners.add(listener);
  return () => void outputListeners.delete(listener);
}
