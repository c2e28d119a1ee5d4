/** Registered models of the workspace. */

import type { Api } from "./client";
import type { ModelEntry } from "./types.gen";

export async function listModels(api: Api): Promise<readonly ModelEntry[]> {
  return (await api.ask("GET /models", {})).models;
}
