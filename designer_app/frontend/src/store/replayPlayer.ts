/** Player of a recorded run in an editor: play, pause, seek; chapters are the ends of nodes. */

import { type StoreApi, createStore } from "zustand/vanilla";

import type { ReplayAnswer } from "../api/types.gen";
import { titleOf } from "../graph/search";
import type { Editor } from "./editor";
import { Timeline } from "./replayTimeline";

export const SPEEDS = [1, 2, 4, 10, 20, 50, 100] as const;
export type Speed = (typeof SPEEDS)[number];

export interface Chapter {
  readonly node: string;
  readonly title: string;
  /** Seconds from the start. */
  readonly at: number;
  readonly status: string;
}

export interface PlayerState {
  /** Seconds from the start. */
  readonly time: number;
  readonly playing: boolean;
  readonly speed: Speed;
}

/** Scheduler that calls a function before the next paint: `requestAnimationFrame`. */
export interface Pulse {
  request(call: (milliseconds: number) => void): number;
  cancel(id: number): void;
}

const BROWSER: Pulse = {
  request: (call) => requestAnimationFrame(call),
  cancel: (id) => cancelAnimationFrame(id),
};
const ENDS = /^Step(Finished|Reused|Failed|Cancelled|Skipped)$/;
/** Longest frame in seconds that is counted, so that a hidden page does not skip ahead. */
const LONGEST_FRAME = 0.25;
/** Seconds up to which a recording plays at 1x initially; longer ones are accelerated to at most
 * this length. */
const PATIENCE = 20;

export class ReplayPlayer {
  readonly store: StoreApi<PlayerState>;
  readonly chapters: readonly Chapter[];
  readonly timeline: Timeline;
  private shown = -1;
  private frame: number | null = null;
  private ticked: number | null = null;

  constructor(
    private readonly editor: Editor,
    readonly recorded: ReplayAnswer,
    private readonly pulse: Pulse = BROWSER,
  ) {
    this.timeline = new Timeline(recorded.run.id, recorded.document, recorded.events);
    this.chapters = this.findChapters();
    const speed = SPEEDS.find((speed) => this.length / speed <= PATIENCE) ?? 100;
    this.store = createStore<PlayerState>(() => ({ time: 0, playing: false, speed }));
    this.show(0);
  }

  /** Length in seconds at 1x. */
  get length(): number {
    return this.timeline.length;
  }

  get state(): PlayerState {
    return this.store.getState();
  }

  /** Continue; at the end, restart. */
  play(): void {
    if (this.state.playing) return;
    if (this.state.time >= this.length) this.seek(0);
    this.store.setState({ playing: true });
    this.ticked = null;
    this.frame = this.pulse.request(this.tick);
  }

  pause(): void {
    if (this.frame !== null) this.pulse.cancel(this.frame);
    this.frame = null;
    this.store.setState({ playing: false });
  }

  toggle(): void {
    if (this.state.playing) this.pause();
    else this.play();
  }

  seek(time: number): void {
    const at = Math.min(this.length, Math.max(0, time));
    this.store.setState({ time: at });
    this.show(this.timeline.countAt(at));
  }

  setSpeed(speed: Speed): void {
    this.store.setState({ speed });
  }

  /** Seek to the end of the next node, or of the previous one. */
  skip(direction: 1 | -1): void {
    const { time } = this.state;
    const ahead = this.chapters.find((chapter) => chapter.at > time + 0.001)?.at ?? this.length;
    const behind = this.chapters.findLast((chapter) => chapter.at < time - 0.001)?.at ?? 0;
    this.seek(direction > 0 ? ahead : behind);
  }

  close(): void {
    this.pause();
  }

  private readonly tick = (milliseconds: number): void => {
    const passed = this.ticked === null ? 0 : (milliseconds - this.ticked) / 1000;
    this.ticked = milliseconds;
    const { time, speed } = this.state;
    this.seek(time + Math.min(LONGEST_FRAME, passed) * speed);
    if (this.state.time >= this.length) this.pause();
    else this.frame = this.pulse.request(this.tick);
  };

  private show(count: number): void {
    if (count === this.shown) return;
    this.shown = count;
    const run = this.timeline.viewAfter(count);
    // Events carry no primary metric: the server computes the one at the end.
    const isOver = count === this.recorded.events.length;
    const { headline } = this.recorded;
    this.editor.store.setState({ run: isOver ? { ...run, headline } : run });
  }

  private findChapters(): readonly Chapter[] {
    const { document, catalog } = this.editor.state;
    const titles = new Map(document.nodes.map((node) => [node.id, titleOf(node, catalog)]));
    return this.recorded.events.flatMap((event, place) => {
      const [, word] = ENDS.exec(event.kind) ?? [];
      if (word === undefined || event.node === null) return [];
      const status = word === "Finished" ? "completed" : word.toLowerCase();
      const title = titles.get(event.node) ?? event.node;
      return [{ node: event.node, title, status, at: this.timeline.momentOf(place) }];
    });
  }
}
