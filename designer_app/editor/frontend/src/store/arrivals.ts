/** Pipelines that came from a file on this page and were not looked at yet. */

const arrived = new Set<string>();

export function announceArrival(pipelineId: string): void {
  arrived.add(pipelineId);
}

/** True once for each that was announced. */
export function takeArrival(pipelineId: string): boolean {
  return arrived.delete(pipelineId);
}
