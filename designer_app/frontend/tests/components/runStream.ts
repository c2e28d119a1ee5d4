/** Event stream of a run, written by a test. */

import type { ServerResponse } from "node:http";

import { waitFor } from "@testing-library/dom";
import { expect } from "vitest";

import { fold } from "../../src/graph/runState";
import type { RunEvent } from "../../src/graph/types";
import type { Answers } from "./editorPage";

/** Event stream of the run `r1`, as the server writes it. */
export class RunStream {
  private response: ServerResponse | null = null;
  readonly answers: Answers = {
    "GET /runs/r1/events": (_, response) => {
      this.response = response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.flushHeaders();
    },
    "GET /runs/r1": { run_id: "r1", to: null, only: [] },
  };
  private seq = 1;

  /** Wait until the page listens; the run has started. */
  async begins(nodes: readonly string[]): Promise<void> {
    await waitFor(() => expect(this.response).not.toBeNull());
    const begun = [event("RunQueued", null, { nodes: [...nodes] }), event("RunStarted", null)];
    this.says("snapshot", { state: fold(begun) });
    this.says("curves", { metrics: {} });
  }

  emit(...events: readonly RunEvent[]): void {
    this.says("events", events);
  }

  says(kind: string, data: unknown): void {
    this.seq += 1;
    this.response?.write(`event: ${kind}\nid: ${this.seq}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

export function event(kind: string, node: string | null, data: RunEvent["data"] = {}): RunEvent {
  return { id: null, kind, node, data, time: 10 };
}
