/** Replays: what the server tells of one, and a file that becomes one. */

import type { PipelineDocument, RunEvent } from "../graph/types";
import type { Api } from "./client";

export interface ImagesPreview {
  readonly kind: "images";
  readonly node: string;
  readonly port: string;
  readonly num_images: number;
  readonly num_classes: number;
  readonly classes: readonly { readonly name: string; readonly images: number }[];
  readonly samples: readonly { readonly picture: string; readonly label: string | null }[];
}

interface Prediction {
  readonly picture: string | null;
  readonly actual: string | null;
  readonly predicted: string;
  readonly confidence: number | null;
}

export interface PredictionsPreview {
  readonly kind: "predictions";
  readonly node: string;
  readonly port: string;
  readonly num_images: number;
  readonly num_wrong: number | null;
  readonly samples: readonly Prediction[];
}

export interface EvaluationPreview {
  readonly kind: "evaluation";
  readonly node: string;
  readonly port: string;
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly classes: readonly string[];
  /** Rows are the actual classes; empty where there are too many. */
  readonly confusion: readonly (readonly number[])[];
}

export interface ModelPreview {
  readonly kind: "model";
  readonly node: string;
  readonly port: string;
  readonly architecture: string;
  readonly num_classes: number;
  readonly best_epoch: number | null;
  /** Metric to one value an epoch. */
  readonly curves: Readonly<Record<string, readonly (number | null)[]>>;
}

export type Preview = ImagesPreview | PredictionsPreview | EvaluationPreview | ModelPreview;

export interface RecordedLog {
  readonly node: string;
  readonly file: string;
  readonly num_bytes: number;
  readonly text: string;
}

/** `GET /api/replays/<id>`. */
export interface Recorded {
  readonly id: string;
  readonly run: {
    readonly id: string;
    readonly name: string;
    readonly experiment: string;
    readonly description: string;
    readonly status: string;
    readonly created: number;
  };
  readonly document: PipelineDocument;
  readonly environment: {
    readonly recorded: number;
    readonly program: string;
    readonly python: string;
    readonly platform: string;
    readonly processor: string;
    readonly libraries: Readonly<Record<string, string>>;
    readonly cores: number;
    readonly gpus: number;
    readonly memory_bytes: number;
  };
  readonly logs: readonly RecordedLog[];
  readonly previews: readonly Preview[];
  /** In order; their times may go back by a moment. */
  readonly events: readonly RunEvent[];
  /** Name to JPEG in base64. */
  readonly pictures: Readonly<Record<string, string>>;
}

export function openReplay(api: Api, id: string): Promise<Recorded> {
  return api.json("GET", `/replays/${id}`);
}

/** The id of the replay that a file is; throws `ApiError` with the reason where it is none. */
export async function addReplay(api: Api, file: Blob): Promise<string> {
  const plain = new Blob([file], { type: "application/octet-stream" });
  return ((await (await api.upload("/replays", plain)).json()) as { id: string }).id;
}
