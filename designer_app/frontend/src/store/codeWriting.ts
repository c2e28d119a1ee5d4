/** Record of code written by hand; the module that approves it is loaded on first use. */

import type { PipelineDocument } from "../graph/types";
import type { CodeContext, OwnCode, WrittenEdit } from "./ownCode";

export class CodeWriting {
  private own: Promise<OwnCode> | null = null;
  /** Edits made before that module is loaded, or if it failed to load: the server may be offline. */
  private early: WrittenEdit[] = [];

  constructor(private readonly editor: CodeContext) {}

  /** True until `OwnCode` has taken over the edit. */
  isWritten(node: string): boolean {
    return this.early.some(({ places }) => places.some((place) => place.node === node));
  }

  /**
   * Call it right after the edit: parameters with executable code have changed since the pipeline
   * `before`. They are approved here, unless foreign code was there before.
   */
  wrote(before: PipelineDocument, node: string, ...parameters: readonly string[]): void {
    const { whole: after, history } = this.editor.state;
    const places = parameters.map((parameter) => ({ node, parameter }));
    if (before === after || places.length === 0) return;
    this.early.push({ before, after, places, step: history.past.at(-1) });
    this.editor.checking.written ??= this;
    void this.loaded().catch(() => undefined);
  }

  /** Wait until all code written here is approved; throws `ApiError` if that fails. */
  async settle(): Promise<void> {
    if (!this.own && this.early.length === 0) return;
    // Without that module no code is approved here: the server refuses the run and asks the user.
    const own = await this.loaded().catch(() => null);
    await own?.flush();
  }

  private async loaded(): Promise<OwnCode> {
    this.own ??= import("./ownCode").then(({ OwnCode }) => new OwnCode(this.editor));
    try {
      const own = await this.own;
      for (const edit of this.early.splice(0)) own.wrote(edit);
      return own;
    } catch (error) {
      this.own = null;
      throw error;
    }
  }
}
