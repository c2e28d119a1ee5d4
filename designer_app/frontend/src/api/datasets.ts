/** Datasets of the workspace. */

import { type Api, answerOf } from "./client";
import type { DatasetCreated, DatasetEntry } from "./types.gen";

export async function listDatasets(api: Api): Promise<readonly DatasetEntry[]> {
  return (await api.ask("GET /datasets", {})).datasets;
}

/** Create a complete pipeline for a dataset; returns its id. */
export async function pipelineOfDataset(
  api: Api,
  dataset: string,
  version: number,
): Promise<string> {
  const name = "POST /datasets/{dataset}/pipeline";
  return (await api.ask(name, { path: { dataset }, query: { version: String(version) } })).id;
}

/** Store an archive of images as a dataset: a new one named like the file, or a version of
 * `name`. */
export async function uploadDataset(api: Api, file: File, name?: string): Promise<DatasetCreated> {
  const query = name === undefined ? { file: file.name } : { name, file: file.name };
  const response = await api.send("POST /datasets", { query }, { file });
  return answerOf<"POST /datasets">(response);
}
