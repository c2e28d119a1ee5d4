/** What is in the outputs of a node, small enough to be drawn beside it or on it. */

import { type Api, answerOf } from "./client";
import type { NetworkSketch, NodePreviewsAnswer } from "./types.gen";

export function fetchPreviews(api: Api, run: string, node: string): Promise<NodePreviewsAnswer> {
  return api.ask("GET /runs/{run_id}/nodes/{node}/previews", { path: { run_id: run, node } });
}

/** The first answer of a server waits until torch is loaded, on a busy machine for minutes. */
const TORCH_MILLISECONDS = 240_000;

export async function fetchAugmented(
  api: Api,
  run: string,
  node: string,
): Promise<NodePreviewsAnswer> {
  const name = "GET /runs/{run_id}/nodes/{node}/augmented";
  const signal = AbortSignal.timeout(TORCH_MILLISECONDS);
  return answerOf<typeof name>(await api.send(name, { path: { run_id: run, node } }, { signal }));
}

export async function fetchNetwork(api: Api, run: string, node: string): Promise<NetworkSketch> {
  const name = "GET /runs/{run_id}/nodes/{node}/network";
  const signal = AbortSignal.timeout(TORCH_MILLISECONDS);
  return answerOf<typeof name>(await api.send(name, { path: { run_id: run, node } }, { signal }));
}

export function fetchCell(
  api: Api,
  run: string,
  node: string,
  actual: string,
  predicted: string,
): Promise<NodePreviewsAnswer> {
  const path = { run_id: run, node };
  return api.ask("GET /runs/{run_id}/nodes/{node}/cell", { path, query: { actual, predicted } });
}
