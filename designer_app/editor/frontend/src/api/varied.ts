/** What parameters of Init Image Transformation do to an image of a run. */

import { type Api, answerOf } from "./client";
import type { VariedImageAnswer, Variation } from "./types.gen";

/** The first answer of a server waits until torch is loaded, on a busy machine for minutes. */
const TORCH_MILLISECONDS = 240_000;

export async function fetchVaried(
  api: Api,
  run: string,
  node: string,
  wanted: Variation,
): Promise<VariedImageAnswer> {
  const name = "POST /runs/{run_id}/nodes/{node}/varied";
  const signal = AbortSignal.timeout(TORCH_MILLISECONDS);
  const sent = { path: { run_id: run, node }, body: wanted };
  return answerOf<typeof name>(await api.send(name, sent, { signal }));
}
