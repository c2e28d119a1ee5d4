/** The datasets of the workspace. */

import { type Api, answerOf } from "./client";
import type { DatasetEntry } from "./types.gen";

export async function listDatasets(api: Api): Promise<readonly DatasetEntry[]> {
  return (await api.ask("GET /datasets", {})).datasets;
}

/** An archive of images becomes a dataset; gives what to write in Import Images. */
export async function uploadDataset(api: Api, file: File, name: string): Promise<string> {
  const query = { name, file: file.name };
  const response = await api.send("POST /datasets", { query }, { file });
  return (await answerOf<"POST /datasets">(response)).source;
}
