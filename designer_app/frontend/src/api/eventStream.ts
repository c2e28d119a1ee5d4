/** Server-sent events read by fetch, which can send the token; resumed after an interruption. */

import { type Api, ApiError } from "./client";
import { streamEvents } from "./runs";

export interface StreamMessage {
  readonly event: string;
  readonly id: number | null;
  readonly data: unknown;
}

export type Connection = "connecting" | "live" | "reconnecting" | "paused" | "ended";

export interface StreamListener {
  onMessage(message: StreamMessage): void;
  onConnection(connection: Connection): void;
  /** The server rejected the stream permanently. */
  onRefused(error: ApiError): void;
}

/** Stream that was requested before its reader exists. */
export interface EarlyStream {
  readonly run: string;
  readonly response: Promise<Response>;
  readonly abort: AbortController;
  /** Timer that abandons the stream if nobody reads it. */
  readonly timer: ReturnType<typeof setTimeout>;
}

const WANTED = 60_000;

/** Return null in a hidden tab: browsers allow few connections. */
export function askEarly(api: Api, run: string): EarlyStream | null {
  if ((globalThis.document as Document | undefined)?.hidden) return null;
  const abort = new AbortController();
  const response = streamEvents(api, run, null, abort.signal);
  response.catch(() => undefined); // its reader handles the error
  return { run, response, abort, timer: setTimeout(() => abort.abort(), WANTED) };
}

const FIRST_DELAY = 250;
const LONGEST_DELAY = 8000;
/** The server sends a heartbeat every ten seconds; after three missed ones the connection is
 * closed. */
const SILENCE = 30_000;

/** Stream of one run until `isOver` returns true or `close` is called. */
export class EventStream {
  private last: number | null = null;
  private abort: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private closed = false;

  constructor(
    private readonly api: Api,
    private readonly run: string,
    private readonly listener: StreamListener,
    /** True if no more messages will follow. */
    private readonly isOver: () => boolean,
    /** Stream to read instead of the first one that `open` would request. */
    private early: EarlyStream | null = null,
  ) {}

  open(): void {
    if (this.closed || this.abort) return;
    clearTimeout(this.timer);
    void this.read();
  }

  /** Pause in a hidden tab: browsers allow few connections. */
  pause(): void {
    if (this.closed || !this.listening) return;
    this.stop();
    this.listener.onConnection("paused");
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.early?.abort.abort();
    this.stop();
  }

  private get listening(): boolean {
    return this.abort !== null || this.timer !== undefined;
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.abort?.abort();
    this.abort = null;
  }

  private async read(): Promise<void> {
    const { early } = this;
    this.early = null;
    clearTimeout(early?.timer);
    const abort = early?.abort ?? new AbortController();
    this.abort = abort;
    this.listener.onConnection(this.last === null ? "connecting" : "reconnecting");
    try {
      const asked = early?.response ?? streamEvents(this.api, this.run, this.last, abort.signal);
      const response = await asked;
      await this.listen(response, abort);
    } catch (error) {
      if (abort.signal.aborted && this.abort !== abort) return;
      if (error instanceof ApiError && !error.isPassing) {
        this.close();
        this.listener.onRefused(error);
        return;
      }
    }
    if (this.abort !== abort) return;
    this.abort = null;
    if (this.isOver()) this.end();
    else this.retry();
  }

  private async listen(response: Response, abort: AbortController): Promise<void> {
    if (!response.body) return;
    const reader = response.body.getReader();
    const parser = new StreamParser();
    this.listener.onConnection("live");
    for (;;) {
      const watchdog = setTimeout(() => abort.abort(), SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(watchdog));
      if (done) return;
      this.failures = 0;
      for (const message of parser.push(value)) this.hear(message);
    }
  }

  private hear(message: StreamMessage): void {
    if (this.closed) return;
    this.listener.onMessage(message);
    if (message.id !== null) this.last = message.id;
  }

  private end(): void {
    this.closed = true;
    this.listener.onConnection("ended");
  }

  private retry(): void {
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.failures);
    this.failures += 1;
    this.listener.onConnection("reconnecting");
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.open();
      },
      delay * (0.75 + Math.random() / 2),
    );
  }
}

/** Parser of bytes into messages; a message may arrive in parts. */
export class StreamParser {
  private readonly decoder = new TextDecoder();
  private rest = "";

  push(bytes: Uint8Array): readonly StreamMessage[] {
    this.rest += this.decoder.decode(bytes, { stream: true });
    const blocks = this.rest.split(/\r?\n\r?\n/);
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => parsed(block) ?? []);
  }
}

function parsed(block: string): StreamMessage | undefined {
  let event = "message";
  let id: number | null = null;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    if (field === "event") event = value ?? "";
    else if (field === "id") id = /^\d+$/.test(value ?? "") ? Number(value) : null;
    else if (field === "data") data.push(value ?? "");
  }
  if (data.length === 0) return undefined;
  return { event, id, data: JSON.parse(data.join("\n")) as unknown };
}
