/** Images of the user that a run's model is tried on. */

import { type Api, answerOf } from "./client";
import type { KeptAnswer, SimilarPictures, TriedAnswer } from "./types.gen";

interface Place {
  readonly run: string;
  readonly node: string;
  /** Name of the image's file. */
  readonly file: string;
}

/** Return the prediction; the first one waits until torch is loaded. */
export async function tryImage(api: Api, place: Place, image: Blob): Promise<TriedAnswer> {
  const path = { run_id: place.run, node: place.node };
  const name = "POST /runs/{run_id}/nodes/{node}/try";
  const response = await api.send(name, { path, query: { file: place.file } }, { file: image });
  return answerOf<typeof name>(response);
}

/** Return the training images most similar to the image. */
export async function similarImages(api: Api, place: Place, image: Blob): Promise<SimilarPictures> {
  const path = { run_id: place.run, node: place.node };
  const name = "POST /runs/{run_id}/nodes/{node}/try/similar";
  const response = await api.send(name, { path, query: { file: place.file } }, { file: image });
  return answerOf<typeof name>(response);
}

/** Add the image to the dataset of kept images, under its true class. */
export async function keepImage(
  api: Api,
  place: Place,
  image: Blob,
  category: string,
): Promise<KeptAnswer> {
  const path = { run_id: place.run, node: place.node };
  const name = "POST /runs/{run_id}/nodes/{node}/try/keep";
  const query = { file: place.file, category };
  return answerOf<typeof name>(await api.send(name, { path, query }, { file: image }));
}
