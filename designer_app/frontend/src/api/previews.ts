/** Previews of a node's outputs, small enough to be drawn at the node. */

import { type Api, TORCH_MILLISECONDS } from "./client";
import type { NetworkSketch, NodePreviewsAnswer } from "./types.gen";

export function fetchPreviews(api: Api, run: string, node: string): Promise<NodePreviewsAnswer> {
  return api.ask("GET /runs/{run_id}/nodes/{node}/previews", { path: { run_id: run, node } });
}

export function fetchAugmented(api: Api, run: string, node: string): Promise<NodePreviewsAnswer> {
  const said = { path: { run_id: run, node } };
  return api.ask("GET /runs/{run_id}/nodes/{node}/augmented", said, TORCH_MILLISECONDS);
}

export function fetchNetwork(api: Api, run: string, node: string): Promise<NetworkSketch> {
  const said = { path: { run_id: run, node } };
  return api.ask("GET /runs/{run_id}/nodes/{node}/network", said, TORCH_MILLISECONDS);
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
