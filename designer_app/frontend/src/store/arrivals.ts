/** Pipelines that were imported from a file on this page and have not been shown yet. */

const arrived = new Set<string>();

export function announceArrival(pipelineId: string): void {
  arrived.add(pipelineId);
}

/** Return true once for each announced pipeline. */
export function takeArrival(pipelineId: string): boolean {
  return arrived.delete(pipelineId);
}
