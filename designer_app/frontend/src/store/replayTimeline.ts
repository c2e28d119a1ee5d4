/**
 * State of the run after any number of its events, by the same reducer as live runs. A view is
 * stored every few events, so that going back costs as little as continuing.
 */

import type { PipelineDocument, RunEvent } from "../graph/types";
import { afterMessage, newRunView } from "./runReducer";
import type { RunView } from "./types";

const STRIDE = 128;

export class Timeline {
  /** Seconds of playing time. */
  readonly length: number;
  private readonly moments: readonly number[];
  private readonly kept: RunView[];
  private last: { count: number; view: RunView };

  constructor(
    runId: string,
    document: PipelineDocument,
    readonly events: readonly RunEvent[],
  ) {
    this.moments = playingTimes(events);
    this.length = this.moments.at(-1) ?? 0;
    const first: RunView = { ...newRunView(runId, document), connection: "ended" };
    this.kept = [first];
    this.last = { count: 0, view: first };
  }

  /** Time of an event, in seconds from the start. */
  momentOf(place: number): number {
    return this.moments[place] ?? this.length;
  }

  /** Number of events up to a time. */
  countAt(moment: number): number {
    let [low, high] = [0, this.moments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.moments[middle] ?? 0) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Return the view after this many events; unchanged steps keep their identity. */
  viewAfter(count: number): RunView {
    let from = this.last;
    const nearest = Math.min(Math.floor(count / STRIDE), this.kept.length - 1);
    if (from.count > count || from.count < nearest * STRIDE) {
      from = { count: nearest * STRIDE, view: this.kept[nearest] as RunView };
    }
    let { view } = from;
    for (let done = from.count; done < count; done += 1) {
      view = this.oneMore(view, done);
    }
    this.last = { count, view };
    return view;
  }

  private oneMore(view: RunView, place: number): RunView {
    const event = this.events[place] as RunEvent;
    const next = afterMessage(view, { event: "events", data: [event] });
    if ((place + 1) % STRIDE === 0) this.kept[(place + 1) / STRIDE] ??= next;
    return next;
  }
}

/** Return playing times: the times of the events without the gap between an end and a resumption. */
export function playingTimes(events: readonly RunEvent[]): readonly number[] {
  let skipped = 0;
  let latest = 0;
  return events.map((event, place) => {
    const before = events[place - 1];
    if (before?.kind === "RunFinished") skipped += Math.max(0, event.time - before.time - 1);
    latest = Math.max(latest, event.time - (events[0]?.time ?? 0) - skipped);
    return latest;
  });
}
