/** Replays: their description, their file, and the upload of a file. */

import { type Api, answerOf } from "./client";
import type { ReplayAnswer } from "./types.gen";

export function openReplay(api: Api, id: string): Promise<ReplayAnswer> {
  return api.ask("GET /replays/{replay_id}", { path: { replay_id: id } });
}

export async function replayFile(api: Api, id: string): Promise<Blob> {
  const response = await api.send("GET /replays/{replay_id}/file", { path: { replay_id: id } });
  return response.blob();
}

/** Upload a replay and return its id; throws `ApiError` with the reason if the file is not a
 * replay. */
export async function addReplay(api: Api, file: Blob): Promise<string> {
  const plain = new Blob([file], { type: "application/octet-stream" });
  const response = await api.send("POST /replays", {}, { file: plain });
  return (await answerOf<"POST /replays">(response)).id;
}
