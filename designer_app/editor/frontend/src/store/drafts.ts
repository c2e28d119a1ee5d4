/** What was edited and not yet acknowledged, in the browser's storage: safe from a crash of either side. */

import type { PipelineDocument } from "../graph/types";

export interface Draft {
  readonly document: PipelineDocument;
  /** The revision it was made from. */
  readonly revision: string;
  /** Of the commit that was sent and not acknowledged; null where none is under way. */
  readonly sent: string | null;
}

export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const PREFIX = "pipeline-designer.draft.";
const OWNER = ".tab";

/** The drafts of one browser as one tab sees them; without storage they are not kept. */
export class Drafts {
  constructor(
    private readonly storage: DraftStorage | null,
    private readonly tab: string,
  ) {}

  /** What was left behind, by whichever tab; null where there is nothing that can be read. */
  read(id: string): Draft | null {
    try {
      const text = this.storage?.getItem(PREFIX + id);
      const draft = text ? (JSON.parse(text) as Partial<Draft>) : null;
      return draft?.document?.id === id && typeof draft.revision === "string"
        ? { document: draft.document, revision: draft.revision, sent: draft.sent ?? null }
        : null;
    } catch {
      return null;
    }
  }

  write(id: string, draft: Draft): void {
    try {
      this.storage?.setItem(PREFIX + id, JSON.stringify(draft));
      this.storage?.setItem(PREFIX + id + OWNER, this.tab);
    } catch {
      // no room, or forbidden: the edits are then only in this page, until the server has them
    }
  }

  /** Only what this tab wrote: another one may have unsaved edits of its own. */
  remove(id: string): void {
    try {
      if (this.storage?.getItem(PREFIX + id + OWNER) === this.tab) this.discard(id);
    } catch {
      // a browser that forbids storage has kept nothing either
    }
  }

  /** Whoever wrote it: it has been dealt with. */
  discard(id: string): void {
    this.storage?.removeItem(PREFIX + id);
    this.storage?.removeItem(PREFIX + id + OWNER);
  }
}

/** The browser's own storage; null where it is forbidden or missing. */
export function browserStorage(): DraftStorage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

/** A short name of a document's content: 53 bits, enough to tell one's own commit from another's. */
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
