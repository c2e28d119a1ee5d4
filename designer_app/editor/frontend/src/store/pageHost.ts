/** The page around the editors: the way to Python of whatever mount is there now. */

import { nodesById } from "../graph/lookup";
import { hasSucceeded } from "../graph/runState";
import type { PortSpec } from "../graph/types";
import type { EditorState } from "./types";

type Send = (name: string, value: unknown) => void;

let send: Send | null = null;

/** Editors outlive their mounts, so they ask the newest one. */
export function setHost(newest: Send): void {
  send = newest;
}

export function openOnPage(pipelineId: string): void {
  send?.("open", { pipeline_id: pipelineId });
}

export function openReplayOnPage(replayId: string): void {
  send?.("open", { replay_id: replayId });
}

/** The outputs of a node that can be looked at in the run that is shown. */
export function outputsOf(
  { run, document, catalog }: EditorState,
  id: string,
): readonly PortSpec[] {
  const step = run?.steps[id];
  const node = nodesById(document).get(id);
  if (!step || !node || !hasSucceeded(step)) return [];
  return catalog.byId.get(node.module)?.outputs ?? [];
}

/** Shows what is in an output; false where there is nothing to look at yet. */
export function look(state: EditorState, node: string, port?: unknown): boolean {
  const outputs = outputsOf(state, node);
  const found = outputs.find((each) => each.id === port) ?? (port === undefined && outputs[0]);
  if (!found || !state.run) return false;
  send?.("look", { run: state.run.id, node, port: found.id });
  return true;
}
