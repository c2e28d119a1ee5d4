/** What is wrong with the document: found here at each edit, and by the server at each save. */

import type { StoreApi } from "zustand/vanilla";

import type { Api } from "../api/client";
import { validatePipeline } from "../api/pipelines";
import { sameValue } from "../graph/edits";
import { withOwnModules } from "../graph/ownModules";
import type { PipelineDocument, Problem } from "../graph/types";
import { checksSoFar, loadChecks } from "./laterChecks";
import type { Placing } from "./placing";
import type { ServerVerdict, Written } from "./problems";
import type { EditorState } from "./types";

export class Checking {
  /** Code that was just written here, by its place: what is said of it is not known yet. */
  written?: Written;
  private verdict: ServerVerdict | null = null;
  private asked: PipelineDocument | null = null;
  private coming: Promise<void> | undefined;

  constructor(
    private readonly store: StoreApi<EditorState>,
    private readonly api: Api,
    private readonly placing: Placing,
  ) {}

  /** The problems of the document as it is now, with the modules where the canvas is. */
  check(): void {
    const { catalog: offered, whole } = this.store.getState();
    const catalog = this.placing.catalog(offered, this.store.getState());
    if (catalog !== offered) this.store.setState({ catalog });
    const checks = checksSoFar();
    if (!checks) return void loadChecks().then(() => this.check(), ignored);
    const before = this.store.getState();
    const own = withOwnModules(offered, whole);
    const inside = this.placing.inside(before);
    const { verdict, written } = this;
    const problems = checks.allProblems(whole, own, before.targets, verdict, inside, written);
    if (sameValue(problems, before.problems)) return;
    const problemsByNode = checks.byNode(problems, before.problemsByNode);
    this.store.setState({ problems, problemsByNode });
  }

  /** What the server finds wrong with the document as it is saved. */
  async askServer(): Promise<void> {
    const { whole } = this.store.getState();
    const verdict = await validatePipeline(this.api, whole).catch(() => null);
    if (!verdict) return;
    this.asked = null;
    this.judged({ document: whole, problems: verdict.problems });
    this.asked = whole;
  }

  /** The server has kept a document and will say what is wrong with it; null: it did not. */
  expect(document: PipelineDocument, coming: Promise<readonly Problem[] | null>): void {
    this.coming = Promise.all([coming, this.coming]).then(([problems]) =>
      problems ? this.judged({ document, problems }) : this.askServer(),
    );
  }

  /** Until the server has judged the document as it is. */
  async settle(): Promise<void> {
    await this.coming;
    if (this.verdict?.document !== this.store.getState().whole) await this.askServer();
  }

  /** What the server said last; null where that was of another version. */
  judged(verdict: ServerVerdict | null): void {
    // a save that answers late says what was found before the server was asked of the same document
    if (verdict && verdict.document === this.asked) return;
    this.verdict = verdict;
    this.check();
  }
}

const ignored = (): void => undefined;
