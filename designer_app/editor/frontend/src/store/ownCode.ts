/** Code that its owner writes here: it may run once a moment has passed, or a run is asked for. */

import { allowEdit } from "../api/code";
import type { Api } from "../api/client";
import type { CodePlace } from "../api/types.gen";
import type { PipelineDocument } from "../graph/types";
import type { Checking } from "./checking";
import type { EditorState } from "./types";

const PAUSE_MS = 300;

export interface CodeContext {
  readonly api: Api;
  readonly checking: Checking;
  readonly state: EditorState;
}

export class OwnCode {
  private readonly places = new Map<string, CodePlace>();
  private before: PipelineDocument | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly editor: CodeContext) {
    editor.checking.written = this;
  }

  /** What the server says of code of this node may be of before it was told. */
  isWritten(node: string): boolean {
    return [...this.places.values()].some((place) => place.node === node);
  }

  /** These parameters of a node were written; `before` is the pipeline without that. */
  wrote(before: PipelineDocument, node: string, parameters: readonly string[]): void {
    for (const parameter of parameters) {
      this.places.set(`${node} ${parameter}`, { node, parameter });
    }
    this.before ??= before;
    clearTimeout(this.timer);
    // Where the server does not answer, it is asked again before a run.
    this.timer = setTimeout(() => void this.flush().catch(() => undefined), PAUSE_MS);
  }

  /** Sends what waits, and waits for what was sent; throws `ApiError` where it is not taken. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending.catch(() => undefined);
    if (this.before) this.sending = this.send(this.before);
    return this.sending;
  }

  private async send(before: PipelineDocument): Promise<void> {
    const { api, checking, state } = this.editor;
    const sent = new Map(this.places);
    this.before = null;
    try {
      await allowEdit(api, { before, after: state.whole, places: [...sent.values()] });
    } catch (error) {
      this.before = before; // it goes along with what is sent next
      throw error;
    }
    await checking.askServer();
    for (const [key, place] of sent) {
      if (this.places.get(key) === place) this.places.delete(key);
    }
    checking.check();
  }
}
