/** The run shown on the canvas: submit, follow, end. */

import {
  EventStream,
  type Connection,
  type EarlyStream,
  type StreamMessage,
} from "../api/eventStream";
import {
  cancelRun,
  fetchRun,
  newestRun,
  resumeRun,
  stopAndKeep,
  submitRun,
  submittedDocument,
} from "../api/runs";
import { upstream } from "../graph/traversal";
import { outermost } from "../graph/paths";
import { isFinished } from "../graph/runState";
import type { PipelineDocument } from "../graph/types";
import type { EditorContext } from "./editorContext";
import { afterMessage, newRunView } from "./runReducer";
import { selectHasChanged } from "./selectors";
import { understood } from "./streamMessages";
import type { RunView } from "./types";

interface SubmitOptions {
  readonly name: string | null;
  readonly experiment: string | null;
  readonly description: string;
  /** Run only what this node needs. */
  readonly to: string | null;
  /** Run only these nodes and what they need. */
  readonly only: readonly string[] | null;
  /** Run this node and all nodes after it again, even if its output could be reused. */
  readonly from: string | null;
  readonly target: string | null;
}

export class RunController {
  private stream: EventStream | null = null;
  /** Number of screens that show the run. */
  private screens = 0;
  private isAway = false;
  private readonly page = globalThis.document as Document | undefined;
  private readonly onVisibility = (): void => {
    if (this.page?.hidden) this.stream?.pause();
    else this.lookAgain();
  };

  constructor(private readonly editor: EditorContext) {
    this.page?.addEventListener("visibilitychange", this.onVisibility);
  }

  /** Count a screen that shows the run until the returned function is called. */
  shown(): () => void {
    this.screens += 1;
    if (this.isAway) {
      this.isAway = false;
      this.lookAgain();
    }
    return () => {
      this.screens -= 1;
      this.pauseUnshown();
    };
  }

  /** Close the stream if no screen shows the run: browsers allow few connections. */
  pauseUnshown(): void {
    if (this.screens > 0) return;
    this.isAway = true;
    this.stream?.pause();
  }

  /** Queue a run of the document and follow it; null, with a notice, if it is refused. */
  async submit(options: Partial<SubmitOptions> = {}): Promise<string | null> {
    const { editor } = this;
    void editor.flush();
    const only = options.only && [...new Set(options.only.map(outermost))];
    const document = submitted(editor.store.getState().whole, only ?? null);
    try {
      await editor.code.settle();
      const runId = await submitRun(editor.api, {
        document,
        pipeline_id: editor.id,
        name: options.name ?? null,
        experiment: options.experiment ?? null,
        description: options.description ?? "",
        to: options.to ?? null,
        target: options.target ?? null,
        only: only ?? [],
        forced: options.from == null ? [] : [options.from],
      });
      this.follow(runId, document);
      return runId;
    } catch (error) {
      editor.notifyError(error);
      return null;
    }
  }

  /** Show a run in any state; `early` is its stream, requested before. */
  follow(
    runId: string,
    document: PipelineDocument | null = null,
    early: EarlyStream | null = null,
  ): void {
    this.stream?.close();
    const same = this.view?.id === runId ? this.view : null;
    this.show(same ?? newRunView(runId, document));
    this.stream = new EventStream(
      this.editor.api,
      runId,
      {
        onMessage: (message) => this.hear(runId, message),
        onConnection: (connection) => this.connected(runId, connection),
        onRefused: (error) => {
          if (this.view?.id === runId) this.unfollow();
          this.editor.notifyError(error);
        },
      },
      () => this.view !== null && isFinished(this.view.state),
      early,
    );
    if (!this.page?.hidden && !this.isAway) this.stream.open();
    if (document || same?.document) return;
    void this.standing().then(() => this.fetchDocument(runId)); // what is visible is loaded first
  }

  /**
   * Show the wanted run, else the newest of this pipeline if there is one; resolves once the canvas
   * shows its state. `early` is a stream requested before, perhaps of this run.
   */
  async showInitial(wanted: string | null, early: EarlyStream | null = null): Promise<void> {
    const { api, id } = this.editor;
    const runId = wanted ?? (await newestRun(api, id).catch(() => undefined))?.run_id;
    if (!runId || this.view) return;
    this.follow(runId, null, early?.run === runId ? early : null);
    await this.standing();
  }

  /** Read the stream again, also while the page is hidden. */
  catchUp(): void {
    if (!this.isAway) this.stream?.open();
  }

  unfollow(): void {
    this.stream?.close();
    this.stream = null;
    this.editor.store.setState({ run: null });
  }

  async cancel(): Promise<void> {
    await this.ask(async (id) => {
      await cancelRun(this.editor.api, id);
      const { view } = this; // shown immediately: the event may take a moment to arrive
      if (view?.id === id) this.show({ ...view, state: { ...view.state, cancel_requested: true } });
    });
  }

  /** Ask running trainings to finish early; returns how many, or null, with a notice, if refused. */
  async stopAndKeep(): Promise<number | null> {
    let trainings: number | null = null;
    await this.ask(async (id) => {
      trainings = (await stopAndKeep(this.editor.api, id)).length;
    });
    return trainings;
  }

  /**
   * Resume a run that failed or was cancelled; if the pipeline has changed, start a new run with
   * the same options, which reuses what is still valid.
   */
  async resume(): Promise<void> {
    await this.ask(async (id) => {
      if (selectHasChanged(this.editor.store.getState())) {
        const { only, ...before } = await fetchRun(this.editor.api, id);
        await this.submit({ ...before, only: only.length > 0 ? only : null });
        return;
      }
      await resumeRun(this.editor.api, id);
      this.follow(id);
    });
  }

  close(): void {
    this.page?.removeEventListener("visibilitychange", this.onVisibility);
    this.stream?.close();
  }

  /** Read the stream again; a run that failed or was cancelled may have been resumed elsewhere. */
  private lookAgain(): void {
    if (this.page?.hidden || this.isAway || !this.stream) return;
    if (this.view && mayGoOn(this.view)) this.follow(this.view.id);
    else this.stream.open();
  }

  private get view(): RunView | null {
    return this.editor.store.getState().run;
  }

  private show(run: RunView): void {
    this.editor.store.setState({ run });
  }

  private hear(runId: string, message: StreamMessage): void {
    const data = understood(message);
    if (data && this.view?.id === runId) this.show(afterMessage(this.view, data));
  }

  private connected(runId: string, connection: Connection): void {
    if (this.view?.id !== runId || this.view.connection === connection) return;
    // A new stream reports problems of the runner again, or none.
    const runnerProblem = connection === "live" ? null : this.view.runnerProblem;
    this.show({ ...this.view, connection, runnerProblem });
  }

  /** Resolve once the state of the run is known, or the run is not shown any more. */
  private standing(): Promise<void> {
    const { store } = this.editor;
    if (!isAwaited(this.view)) return Promise.resolve();
    return new Promise((resolve) => {
      const end = store.subscribe(({ run }) => {
        if (isAwaited(run)) return;
        end();
        resolve();
      });
    });
  }

  /** Fetch the document that the run was made from, to show changes since. */
  private async fetchDocument(runId: string): Promise<void> {
    const document = await submittedDocument(this.editor.api, runId).catch(() => null);
    if (document && this.view?.id === runId) this.show({ ...this.view, document });
  }

  private async ask(request: (runId: string) => Promise<void>): Promise<void> {
    const { view } = this;
    if (!view) return;
    try {
      await request(view.id);
    } catch (error) {
      this.editor.notifyError(error);
    }
  }
}

/** Return true until the first message about a run arrives. */
function isAwaited(view: RunView | null): boolean {
  return view !== null && Object.keys(view.steps).length === 0;
}

/** True if a run has ended and can be resumed. */
function mayGoOn({ state }: RunView): boolean {
  return isFinished(state) && state.status !== "completed";
}

/** Return the part of a document to run: these nodes and everything they need, or all of it. */
function submitted(document: PipelineDocument, only: readonly string[] | null): PipelineDocument {
  if (!only) return document;
  const wanted = new Set([...only, ...upstream(document, only)]);
  return {
    ...document,
    nodes: document.nodes.filter((node) => wanted.has(node.id)),
    links: document.links.filter((link) => wanted.has(link.from.node) && wanted.has(link.to.node)),
    groups: document.groups.map((group) => ({
      ...group,
      nodes: group.nodes.filter((id) => wanted.has(id)),
    })),
  };
}
