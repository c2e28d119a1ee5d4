/** Effect of Init Image Transformation's parameters on an image of a run. */

import { type Api, TORCH_MILLISECONDS } from "./client";
import type { VariedImage, Variation } from "./types.gen";

export function fetchVaried(
  api: Api,
  run: string,
  node: string,
  wanted: Variation,
): Promise<VariedImage> {
  const said = { path: { run_id: run, node }, body: wanted };
  return api.ask("POST /runs/{run_id}/nodes/{node}/varied", said, TORCH_MILLISECONDS);
}
