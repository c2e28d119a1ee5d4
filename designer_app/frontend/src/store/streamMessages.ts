/** Messages of a run's stream, validated before use. */

import type { StreamMessage } from "../api/eventStream";
import type { RunCurves, HeadlineReport, RunnerReport, Snapshot } from "../api/types.gen";
import type { RunEvent } from "../graph/types";

export type StreamMessageData =
  | { readonly event: "snapshot"; readonly data: Snapshot }
  | { readonly event: "curves"; readonly data: RunCurves }
  | { readonly event: "headline"; readonly data: HeadlineReport }
  | { readonly event: "runner"; readonly data: RunnerReport }
  | { readonly event: "events"; readonly data: readonly RunEvent[] };

/** Return the message; undefined for an unknown kind. */
export function understood(message: StreamMessage): StreamMessageData | undefined {
  if (message.event === "snapshot" && isSnapshot(message.data)) {
    return { event: "snapshot", data: message.data };
  }
  if (message.event === "curves" && hasOwn(message.data, "metrics")) {
    return { event: "curves", data: message.data as RunCurves };
  }
  if (message.event === "headline" && hasOwn(message.data, "headline")) {
    return { event: "headline", data: message.data as HeadlineReport };
  }
  if (message.event === "runner" && hasOwn(message.data, "problem")) {
    return { event: "runner", data: message.data as RunnerReport };
  }
  if (message.event === "events" && Array.isArray(message.data)) {
    return { event: "events", data: message.data as readonly RunEvent[] };
  }
  return undefined;
}

function isSnapshot(data: unknown): data is Snapshot {
  return hasOwn(data, "state");
}

function hasOwn(data: unknown, name: string): boolean {
  return typeof data === "object" && data !== null && name in data;
}
