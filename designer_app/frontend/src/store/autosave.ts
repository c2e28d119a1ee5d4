/** Autosave: commits are sent until acknowledged, one at a time, and never overwrite another's.
 * A commit without a response is sent again unchanged, under the same number, before newer edits:
 * the server stores it once. So a lost response is never mistaken for somebody else's change. */

import { type Api, ApiError } from "../api/client";
import { type Committed, commitPipeline } from "../api/pipelines";
import { sameValue } from "../graph/edits";
import type { PipelineDocument } from "../graph/types";
import { type Drafts, digest } from "./drafts";
import type { Conflict, SaveState } from "./types";

interface AutosaveListener {
  onState(state: SaveState, conflict: Conflict | null, revision: string): void;
  onCommitted(document: PipelineDocument, committed: Committed): void;
  /** Merge a version saved by somebody else with the local one; null on a conflict. */
  join(base: PipelineDocument, theirs: PipelineDocument): Promise<PipelineDocument | null>;
  /** The server rejects this document permanently. */
  onRefused(error: ApiError): void;
}

export interface AutosaveOptions {
  readonly api: Api;
  readonly drafts: Drafts;
  readonly client: string;
  readonly document: PipelineDocument;
  readonly revision: string;
  readonly listener: AutosaveListener;
  /** Milliseconds. */
  readonly firstRetry?: number;
  readonly longestRetry?: number;
}

interface Commit {
  readonly document: PipelineDocument;
  readonly revision: string;
  readonly seq: number;
}

/** Milliseconds in which a commit is usually acknowledged, so that no draft has to be written. */
const DRAFT_DELAY = 50;

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Autosave {
  /** Last document that the server acknowledged. */
  private kept: PipelineDocument;
  private latest: PipelineDocument;
  private revision: string;
  private unanswered: Commit | null = null;
  private refused: PipelineDocument | null = null;
  private sending = false;
  private offline = false;
  private conflict: Conflict | null = null;
  private seq = 0;
  private failures = 0;
  private timer: Timer;
  private draftTimer: Timer;
  private closed = false;
  private idle: (() => void)[] = [];

  private readonly onLeave = (): void => this.keepDraft();

  constructor(private readonly options: AutosaveOptions) {
    this.kept = options.document;
    this.latest = options.document;
    this.revision = options.revision;
    globalThis.addEventListener?.("pagehide", this.onLeave);
  }

  /** Take over an edited document; it is sent at the end of the present action. */
  edited(document: PipelineDocument): void {
    this.latest = document;
    this.draftTimer ??= setTimeout(() => this.keepDraft(), DRAFT_DELAY);
    if (!this.conflict && !this.offline) this.sendSoon();
    this.publish();
  }

  /** Replace the local document by the server's version. */
  adopt(document: PipelineDocument, revision: string): void {
    this.kept = document;
    this.latest = document;
    this.revision = revision;
    this.unanswered = null;
    this.conflict = null;
    this.options.drafts.remove(document.id);
    this.publish();
  }

  /** Send the local document over the server's revision. */
  overwrite(revision: string): void {
    this.revision = revision;
    this.unanswered = null;
    this.conflict = null;
    this.schedule(0);
    this.publish();
  }

  /** Stop saving until the user has resolved a conflict with somebody else's version. */
  collide(conflict: Conflict, madeFrom: string = this.revision): void {
    this.conflict = conflict;
    this.revision = madeFrom;
    clearTimeout(this.timer);
    this.publish();
  }

  /** True if everything is on the server. */
  get isClean(): boolean {
    return this.latest === this.kept && !this.unanswered && !this.conflict;
  }

  /** Send immediately; resolves when the document is saved, or cannot be saved for now. */
  flush(): Promise<boolean> {
    clearTimeout(this.timer);
    void this.send();
    if (!this.sending) return Promise.resolve(this.isClean);
    return new Promise((resolve) => this.idle.push(() => resolve(this.isClean)));
  }

  /** Write unacknowledged edits to the browser's storage immediately. */
  keepDraft(): void {
    clearTimeout(this.draftTimer);
    this.draftTimer = undefined;
    this.writeDraft();
  }

  close(): void {
    if (this.closed) return;
    this.keepDraft();
    this.closed = true;
    clearTimeout(this.timer);
    globalThis.removeEventListener?.("pagehide", this.onLeave);
  }

  /** Send once the present action has made all of its changes, but before they are rendered: the
   * server works on them meanwhile. */
  private sendSoon(): void {
    queueMicrotask(() => void this.send());
  }

  private schedule(delay: number): void {
    clearTimeout(this.timer);
    if (!this.closed) this.timer = setTimeout(() => void this.send(), delay);
  }

  private async send(): Promise<void> {
    if (this.sending || this.conflict || this.closed) return;
    const commit = this.unanswered ?? this.nextCommit();
    if (!commit) return;
    this.unanswered = commit;
    this.sending = true;
    this.publish();
    try {
      const committed = await commitPipeline(this.options.api, commit.document, {
        client: this.options.client,
        seq: commit.seq,
        revision: commit.revision,
      });
      this.acknowledge(commit, committed);
    } catch (error) {
      await this.fail(commit, error);
    }
    this.sending = false;
    this.publish();
    if (!this.conflict && !this.offline && this.nextCommit(false)) await this.send();
    else for (const resolve of this.idle.splice(0)) resolve();
  }

  private nextCommit(count = true): Commit | null {
    if (this.latest === this.kept || this.latest === this.refused) return null;
    if (count) this.seq += 1;
    return { document: this.latest, revision: this.revision, seq: this.seq };
  }

  private acknowledge(commit: Commit, committed: Committed): void {
    this.kept = commit.document;
    this.revision = committed.revision;
    this.unanswered = null;
    this.offline = false;
    this.failures = 0;
    this.keepDraft();
    this.options.listener.onCommitted(commit.document, committed);
  }

  private async fail(commit: Commit, error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || error.isPassing || error.status === 401) {
      if (error instanceof ApiError && error.status === 401 && !this.offline) {
        this.options.listener.onRefused(error);
      }
      this.retryLater();
      return;
    }
    this.unanswered = null;
    this.offline = false;
    this.failures = 0;
    if (error.status === 404) this.conflict = { reason: "deleted" };
    else if (error.status === 409) await this.collided(commit, error);
    else {
      this.refused = commit.document;
      this.options.listener.onRefused(error);
    }
  }

  /** A commit of ours that was stored, but whose response was lost, is not a conflict. */
  private async collided(commit: Commit, { revision, document: theirs }: ApiError): Promise<void> {
    if (!revision || !theirs) {
      this.conflict = { reason: "changed" };
      return;
    }
    if (sameValue(theirs, commit.document)) {
      this.acknowledge(commit, { revision, problems: Promise.resolve(null) });
      return;
    }
    const base = this.kept;
    const joined = await this.options.listener.join(base, theirs);
    if (!joined) {
      this.conflict = { reason: "changed", base, theirs };
      return;
    }
    this.kept = theirs;
    this.revision = revision;
    this.latest = sameValue(joined, theirs) ? theirs : joined;
  }

  private retryLater(): void {
    const { firstRetry = 250, longestRetry = 8000 } = this.options;
    const delay = Math.min(longestRetry, firstRetry * 2 ** this.failures);
    this.failures += 1;
    this.offline = true;
    this.schedule(delay * (0.75 + Math.random() / 2));
  }

  private writeDraft(): void {
    if (this.latest === this.kept && !this.unanswered) {
      this.options.drafts.remove(this.latest.id);
      return;
    }
    this.options.drafts.write(this.latest.id, {
      document: this.latest,
      revision: this.revision,
      sent: this.unanswered ? digest(this.unanswered.document) : null,
    });
  }

  private publish(): void {
    if (!this.closed) this.options.listener.onState(this.state(), this.conflict, this.revision);
  }

  private state(): SaveState {
    if (this.conflict) return "conflict";
    if (this.offline) return "offline";
    if (this.sending) return "saving";
    return this.latest === this.kept ? "saved" : "unsaved";
  }
}
