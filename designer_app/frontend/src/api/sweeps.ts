/** Sweeps: start, read. */

import type { Api } from "./client";
import type { SweepReport, SweepRequest } from "./types.gen";

/** Start the sweep of a document's settings; returns its id. */
export async function startSweep(api: Api, request: SweepRequest): Promise<string> {
  return (await api.ask("POST /sweeps", { body: request })).sweep;
}

export function fetchSweep(api: Api, sweep: string): Promise<SweepReport> {
  return api.ask("GET /sweeps/{sweep_id}", { path: { sweep_id: sweep } });
}
