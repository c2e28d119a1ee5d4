/** Recordings: pictures from a camera or files by class, on their way to a dataset. */

import { type Api, TORCH_MILLISECONDS, answerOf } from "./client";
import type {
  ClassEntry,
  LivePrediction,
  RecordingAnswer,
  RecordingEntry,
  TrainingProgress,
  TrainingStarted,
} from "./types.gen";

/** Place of a picture. */
export interface PicturePlace {
  readonly recording: string;
  readonly class_id: string;
  readonly picture: string;
}

export async function listRecordings(api: Api): Promise<readonly RecordingEntry[]> {
  return (await api.ask("GET /recordings", {})).recordings;
}

export function fetchRecording(api: Api, recording: string): Promise<RecordingAnswer> {
  return api.ask("GET /recordings/{recording}", { path: { recording } });
}

/** Create a recording; without a name, the server chooses a free one. */
export function createRecording(api: Api, name: string | null): Promise<RecordingAnswer> {
  return api.ask("POST /recordings", { body: { name } });
}

/** Delete a recording with its pictures; its datasets stay. */
export async function deleteRecording(api: Api, recording: string): Promise<void> {
  await api.ask("DELETE /recordings/{recording}", { path: { recording } });
}

export function addClass(api: Api, recording: string, name: string): Promise<ClassEntry> {
  const said = { path: { recording }, body: { name } };
  return api.ask("POST /recordings/{recording}/classes", said);
}

export function renameClass(
  api: Api,
  recording: string,
  class_id: string,
  name: string,
): Promise<ClassEntry> {
  const said = { path: { recording, class_id }, body: { name } };
  return api.ask("PUT /recordings/{recording}/classes/{class_id}", said);
}

export async function removeClass(api: Api, recording: string, class_id: string): Promise<void> {
  await api.ask("DELETE /recordings/{recording}/classes/{class_id}", {
    path: { recording, class_id },
  });
}

export async function restoreClass(api: Api, recording: string, class_id: string): Promise<void> {
  await api.ask("POST /recordings/{recording}/classes/{class_id}/restore", {
    path: { recording, class_id },
  });
}

/** Store a picture; once this resolves, it survives a kill of the server. */
export async function storePicture(api: Api, place: PicturePlace, file: Blob): Promise<void> {
  await api.send(
    "PUT /recordings/{recording}/classes/{class_id}/pictures/{picture}",
    { path: place },
    { file },
  );
}

/** Return a small preview of a stored picture. */
export async function fetchPicture(api: Api, place: PicturePlace, edge: number): Promise<Blob> {
  const said = { path: place, query: { edge: String(edge) } };
  return (
    await api.send("GET /recordings/{recording}/classes/{class_id}/pictures/{picture}", said)
  ).blob();
}

export async function removePicture(api: Api, place: PicturePlace): Promise<void> {
  await api.ask("DELETE /recordings/{recording}/classes/{class_id}/pictures/{picture}", {
    path: place,
  });
}

export async function restorePicture(api: Api, place: PicturePlace): Promise<void> {
  await api.ask("POST /recordings/{recording}/classes/{class_id}/pictures/{picture}/restore", {
    path: place,
  });
}

/** Save the stored pictures as a version of the dataset; returns its reference. */
export async function saveRecording(api: Api, recording: string): Promise<string> {
  const said = { path: { recording } };
  return (await api.ask("POST /recordings/{recording}/save", said, TORCH_MILLISECONDS)).source;
}

/** Save and train; the first time, the forecast waits until torch is loaded. */
export function trainRecording(api: Api, recording: string): Promise<TrainingStarted> {
  const said = { path: { recording } };
  return api.ask("POST /recordings/{recording}/train", said, TORCH_MILLISECONDS);
}

export function fetchTraining(api: Api, run_id: string): Promise<TrainingProgress> {
  return api.ask("GET /runs/{run_id}/training", { path: { run_id } });
}

/** Predict a picture of the camera; the first answer waits until torch is loaded. */
export async function predictFrame(
  api: Api,
  run_id: string,
  frame: Blob,
  heat: boolean,
): Promise<LivePrediction> {
  const said = { path: { run_id }, query: { heat: heat ? "1" : "0" } };
  const signal = AbortSignal.timeout(TORCH_MILLISECONDS);
  const response = await api.send("POST /runs/{run_id}/live", said, { file: frame, signal });
  return answerOf<"POST /runs/{run_id}/live">(response);
}
