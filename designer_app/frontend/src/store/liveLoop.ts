/** Live prediction: one picture is on its way at a time, always the newest of the camera. */

import type { LivePrediction } from "../api/types.gen";

/** The last prediction, the picture it is of, and how fast predictions come. */
export interface LiveState {
  readonly prediction: LivePrediction | null;
  readonly frame: Blob | null;
  readonly framesPerSecond: number | null;
  /** 95th percentile of the time from a picture to its prediction, in milliseconds. */
  readonly p95: number | null;
  readonly failed: unknown;
}

export const NOTHING_LIVE: LiveState = {
  prediction: null,
  frame: null,
  framesPerSecond: null,
  p95: null,
  failed: null,
};

export interface LiveParts {
  readonly grab: () => Promise<Blob | null>;
  readonly predict: (frame: Blob) => Promise<LivePrediction>;
  readonly show: (state: LiveState) => void;
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** Shortest time between two pictures: 25 a second are more than an eye reads. */
const SHORTEST_MILLISECONDS = 40;
const RETRY_MILLISECONDS = 1000;
/** Predictions that the rate and the percentile are of. */
const MEASURED = 100;

export class LiveLoop {
  private isRunning = false;
  private readonly ends: number[] = [];
  private readonly times: number[] = [];
  private readonly now: () => number;
  private readonly wait: (milliseconds: number) => Promise<void>;

  constructor(private readonly parts: LiveParts) {
    this.now = parts.now ?? (() => performance.now());
    this.wait = parts.wait ?? ((time) => new Promise((resolve) => setTimeout(resolve, time)));
  }

  async start(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.ends.length = this.times.length = 0;
    while (this.running) {
      const began = this.now();
      const pause = await this.predictOne(began);
      if (this.running) await this.wait(Math.max(0, pause - (this.now() - began)));
    }
  }

  stop(): void {
    this.isRunning = false;
  }

  private get running(): boolean {
    return this.isRunning;
  }

  /** Predict one picture; returns the time until the next one. */
  private async predictOne(began: number): Promise<number> {
    try {
      const frame = await this.parts.grab();
      if (!frame) return RETRY_MILLISECONDS / 4;
      const prediction = await this.parts.predict(frame);
      if (!this.running || prediction.skipped) return SHORTEST_MILLISECONDS;
      this.measure(began, this.now());
      this.parts.show({
        prediction,
        frame,
        framesPerSecond: this.rate(),
        p95: percentile(this.times, 0.95),
        failed: null,
      });
      return SHORTEST_MILLISECONDS;
    } catch (failed) {
      if (this.running) this.parts.show({ ...NOTHING_LIVE, failed });
      return RETRY_MILLISECONDS;
    }
  }

  /** The first prediction is not measured: it waits until the model is loaded. */
  private measure(began: number, ended: number): void {
    if (this.ends.length > 0) this.times.push(ended - began);
    this.ends.push(ended);
    if (this.ends.length > MEASURED) this.ends.shift();
    if (this.times.length > MEASURED) this.times.shift();
  }

  private rate(): number | null {
    const [first, last] = [this.ends[0], this.ends.at(-1)];
    if (first === undefined || last === undefined || last <= first) return null;
    return (1000 * (this.ends.length - 1)) / (last - first);
  }
}

/** Return the value below which a share of the values lie; null if there are none. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}
