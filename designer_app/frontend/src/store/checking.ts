/** Problems of the pipeline. The server reports them after each save; they are stale from an edit
 * until its response arrives. */

import type { StoreApi } from "zustand/vanilla";

import { type Api, ApiError } from "../api/client";
import { validatePipeline } from "../api/pipelines";
import { sameValue } from "../graph/edits";
import type { PipelineDocument, Problem } from "../graph/types";
import type { Placing } from "./placing";
import { type ServerVerdict, type Written, byNode, shownProblems } from "./problems";
import type { EditorState } from "./types";

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 8000;

export class Checking {
  /** Code that was just written here, by location: the verdict on it may be outdated. */
  written?: Written;
  private verdict: ServerVerdict | null = null;
  private asked: PipelineDocument | null = null;
  private coming: Promise<void> | undefined;
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    private readonly store: StoreApi<EditorState>,
    private readonly api: Api,
    private readonly placing: Placing,
  ) {}

  /** Show the last verdict for the current document, and the modules available at the shown
   * place. */
  check(): void {
    const before = this.store.getState();
    const catalog = this.placing.catalog(before.catalog, before);
    if (catalog !== before.catalog) this.store.setState({ catalog });
    if (before.readOnly) return;
    const verdict = this.isCurrent() ? "current" : this.failures > 0 ? "missing" : "stale";
    const problems = shownProblems(before.whole, this.verdict?.problems ?? [], this.written);
    const isSame = sameValue(problems, before.problems);
    if (isSame && verdict === before.verdict) return;
    const problemsByNode = byNode(problems, before.problemsByNode);
    this.store.setState({ verdict, ...(isSame ? {} : { problems, problemsByNode }) });
  }

  /** Request the problems of the document without saving it; retry while the server is
   * unavailable. */
  async askServer(): Promise<void> {
    clearTimeout(this.retry);
    this.check();
    const { whole } = this.store.getState();
    try {
      const { problems } = await validatePipeline(this.api, whole);
      this.asked = null;
      this.judged({ document: whole, problems });
      this.asked = whole;
    } catch (error) {
      this.failed(error);
    }
  }

  /** The server has stored a document and will send its problems; null if they do not arrive. */
  expect(document: PipelineDocument, coming: Promise<readonly Problem[] | null>): void {
    this.coming = Promise.all([coming, this.coming]).then(([problems]) =>
      problems ? this.judged({ document, problems }) : this.askServer(),
    );
  }

  /** Wait until the server has checked the current document. */
  async settle(): Promise<void> {
    await this.coming;
    if (!this.isCurrent()) await this.askServer();
  }

  /** Apply a verdict, unless a newer one is known. */
  judged(verdict: ServerVerdict): void {
    // a slow response to a save may be older than a later check of the same document
    if (verdict.document === this.asked) return;
    if (!this.isCurrent() || this.isCurrent(verdict)) this.verdict = verdict;
    this.failures = 0;
    this.check();
  }

  /** Report that the server could not check the document. */
  failed(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    if (this.isCurrent()) return;
    const delay = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.failures);
    this.failures += 1;
    this.check();
    if (error.isPassing && !this.closed) {
      this.retry = setTimeout(() => void (this.isCurrent() || this.askServer()), delay);
    }
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.retry);
  }

  /** Return true for a verdict on the current document. */
  private isCurrent(verdict = this.verdict): boolean {
    return verdict !== null && sameValue(verdict.document, this.store.getState().whole);
  }
}
