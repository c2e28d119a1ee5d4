/** Code written here by its owner: it is approved after a moment, or before a run. */

import { allowEdit, type OwnEdit } from "../api/code";
import { ApiError, type Api } from "../api/client";
import type { Checking } from "./checking";
import type { EditorState, HistoryStep } from "./types";

const PAUSE_MS = 300;

export interface CodeContext {
  readonly api: Api;
  readonly checking: Checking;
  readonly state: EditorState;
}

/**
 * One edit in a field: the pipeline immediately before and after it, so that nothing from elsewhere
 * (a paste, undo, another tab) is ever part of it.
 */
export interface WrittenEdit extends OwnEdit {
  /** Undo step that it belongs to. */
  readonly step: HistoryStep | undefined;
}

function isWrittenIn(edits: readonly WrittenEdit[], node: string): boolean {
  return edits.some(({ places }) => places.some((place) => place.node === node));
}

export class OwnCode {
  /** Pending edits in order: each may depend on the approval of the previous one. */
  private waiting: WrittenEdit[] = [];
  /** Edits sent to the server, but not known to its checks yet. */
  private sent: WrittenEdit[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly editor: CodeContext) {
    editor.checking.written = this;
  }

  /** True if the server's verdict on this node's code may predate the edit. */
  isWritten(node: string): boolean {
    return isWrittenIn(this.waiting, node) || isWrittenIn(this.sent, node);
  }

  wrote(edit: WrittenEdit): void {
    const last = this.waiting.at(-1);
    if (last && isContinued(last, edit)) {
      this.waiting[this.waiting.length - 1] = { ...edit, before: last.before };
    } else this.waiting.push(edit);
    clearTimeout(this.timer);
    // Without a response it is sent again before a run.
    this.timer = setTimeout(() => void this.flush().catch(() => undefined), PAUSE_MS);
  }

  /** Send pending edits and wait for the response; throws `ApiError` if they are rejected. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending.catch(() => undefined);
    if (this.waiting.length > 0) this.sending = this.send();
    return this.sending;
  }

  private async send(): Promise<void> {
    const { api, checking } = this.editor;
    for (let edit = this.waiting.shift(); edit; edit = this.waiting.shift()) {
      this.sent.push(edit);
      try {
        await allowEdit(api, edit);
      } catch (error) {
        this.sent.pop();
        // Permanently refused code has to be approved by the user; it must not block later edits.
        if (!isRefusedForGood(error)) this.waiting.unshift(edit);
        throw error;
      }
    }
    const sent = this.sent;
    await checking.askServer();
    this.sent = this.sent.filter((edit) => !sent.includes(edit));
    checking.check();
  }
}

/** True while typing continues: nothing else happened between, and undo reverts both at once. */
function isContinued(last: WrittenEdit, next: WrittenEdit): boolean {
  const isSamePlace = (place: OwnEdit["places"][number], at: number): boolean =>
    place.node === next.places[at]?.node && place.parameter === next.places[at]?.parameter;
  return (
    last.after === next.before &&
    last.step === next.step &&
    last.places.length === next.places.length &&
    last.places.every(isSamePlace)
  );
}

function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 413 || error.status === 422);
}
