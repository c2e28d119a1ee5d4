/** Steps of the lesson that a pipeline was opened for. */

import type { Api } from "./client";
import type { OpenedLesson } from "./types.gen";

export function fetchLesson(api: Api, pipelineId: string): Promise<OpenedLesson> {
  return api.ask("GET /pipelines/{pipeline_id}/lesson", { path: { pipeline_id: pipelineId } });
}
