/** Notes where code is written by hand; what lets it run is loaded then. */

import type { PipelineDocument } from "../graph/types";
import type { CodeContext, OwnCode } from "./ownCode";

export class CodeWriting {
  private own: Promise<OwnCode> | null = null;
  /** Nodes whose code was written while that is loaded. */
  private readonly early = new Set<string>();

  constructor(private readonly editor: CodeContext) {}

  /** True until `OwnCode` knows it. */
  isWritten(node: string): boolean {
    return this.early.has(node);
  }

  /**
   * Parameters of a node that say what is run have other values than in the pipeline `before`: they
   * may run here, unless foreign code stood there.
   */
  wrote(before: PipelineDocument, node: string, ...parameters: readonly string[]): void {
    this.editor.checking.written ??= this;
    this.early.add(node);
    this.own ??= import("./ownCode").then(({ OwnCode }) => new OwnCode(this.editor));
    this.own
      .then((own) => own.wrote(before, node, parameters))
      .catch(() => (this.own = null))
      .finally(() => this.early.delete(node));
  }

  /** All that was written here is allowed; throws `ApiError` where that cannot be. */
  async settle(): Promise<void> {
    await (await this.own)?.flush();
  }
}
