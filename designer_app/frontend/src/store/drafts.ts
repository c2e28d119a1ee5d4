/** Drafts: edits that are not acknowledged yet, kept in the browser's storage so that no crash
 * loses them. */

import type { PipelineDocument } from "../graph/types";

export interface Draft {
  readonly document: PipelineDocument;
  /** Revision that it is based on. */
  readonly revision: string;
  /** Hash of the commit that was sent and not acknowledged; null without one. */
  readonly sent: string | null;
}

/** Draft found in the storage. */
export interface LeftDraft extends Draft {
  readonly key: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly written: number;
}

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const PREFIX = "pipeline-designer.draft.";

/** Drafts of one browser, one for each tab, as seen by one tab; nothing is stored without a
 * storage. */
export class Drafts {
  /** Drafts of other tabs that this one took over: they are removed when its own is written. */
  private adopted: readonly LeftDraft[] = [];

  constructor(
    private readonly storage: DraftStorage | null,
    private readonly tab: string,
  ) {}

  /** Return the drafts of other tabs, newest first; unreadable ones are skipped. */
  left(id: string): readonly LeftDraft[] {
    try {
      return this.keysOf(id)
        .flatMap((key) => this.read(key, id) ?? [])
        .sort((one, other) => other.written - one.written);
    } catch {
      return []; // a browser that forbids storage has stored nothing either
    }
  }

  /** Take over drafts of another tab. */
  adopt(drafts: readonly LeftDraft[]): void {
    this.adopted = [...this.adopted, ...drafts];
  }

  write(id: string, draft: Draft): void {
    try {
      this.storage?.setItem(this.own(id), JSON.stringify({ ...draft, written: Date.now() }));
      this.discardAdopted();
    } catch {
      // no space, or forbidden: until the server has stored the edits, they exist only in this page
    }
  }

  /** Remove only drafts that this tab wrote or took over: others may have their own unsaved
   * edits. */
  remove(id: string): void {
    try {
      this.storage?.removeItem(this.own(id));
      this.discardAdopted();
    } catch {
      // a browser that forbids storage has stored nothing either
    }
  }

  /** Remove a resolved draft, unless the tab that wrote it has continued meanwhile. */
  discard({ key, text }: LeftDraft): void {
    if (this.storage?.getItem(key) === text) this.storage.removeItem(key);
  }

  private discardAdopted(): void {
    for (const draft of this.adopted) this.discard(draft);
    this.adopted = [];
  }

  private own(id: string): string {
    return `${PREFIX}${id} ${this.tab}`;
  }

  /** A key without a tab was written by a version without drafts for each tab. */
  private keysOf(id: string): readonly string[] {
    const { storage } = this;
    const keys = Array.from({ length: storage?.length ?? 0 }, (_, place) => storage?.key(place));
    return keys
      .filter((key) => typeof key === "string")
      .filter((key) => key === PREFIX + id || key.startsWith(`${PREFIX}${id} `))
      .filter((key) => key !== this.own(id));
  }

  private read(key: string, id: string): LeftDraft | undefined {
    try {
      const text = this.storage?.getItem(key) ?? "";
      const { document, revision, sent = null, written = 0 } = JSON.parse(text) as LeftDraft;
      if (document.id !== id || typeof revision !== "string") return undefined;
      return { document, revision, sent, key, text, written };
    } catch {
      return undefined;
    }
  }
}

/** Return the browser's storage; null if it is forbidden or missing. */
export function browserStorage(): DraftStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** Return a short hash of a document's content: 53 bits, enough to distinguish our commits from
 * others'. */
export function digest(document: PipelineDocument): string {
  const text = JSON.stringify(document);
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
