/** One open pipeline: its store, and all operations on it. */

import { type StoreApi, createStore } from "zustand/vanilla";

import { type Api, ApiError } from "../api/client";
import { type Committed, type Opened, openPipeline } from "../api/pipelines";
import type { Catalog } from "../graph/catalog";
import { sameValue } from "../graph/edits";
import { EditRefused } from "../graph/problems";
import type { ComputeTarget, PipelineDocument, Problem } from "../graph/types";
import { Checking } from "./checking";
import { CodeWriting } from "./codeWriting";
import type { EditorContext } from "./editorContext";
import { Drafts, type DraftStorage, browserStorage } from "./drafts";
import { shownNode } from "../graph/paths";
import { Placing } from "./placing";
import * as history from "./undoHistory";
import { initialState } from "./initialState";
import { withNotice } from "./notices";
import { leftBehind, offer } from "./draftRecovery";
import { RunController } from "./runController";
import { Autosave } from "./autosave";
import { openAgain, withPlaces } from "./withPlaces";
import { OtherTabs, randomId } from "./otherTabs";
import type {
  CanvasHandle,
  Conflict,
  Dialog,
  DispatchOptions,
  EditorState,
  Notice,
  NoticeAction,
  Pane,
  SaveState,
  Selection,
  ShellHandle,
  Viewport,
} from "./types";
import { t } from "../graph/translate";

export type Edit = (document: PipelineDocument, catalog: Catalog) => PipelineDocument;

export interface EditorOptions {
  readonly api: Api;
  readonly catalog: Catalog;
  readonly document: PipelineDocument;
  readonly revision: string;
  readonly targets?: readonly ComputeTarget[];
  readonly readOnly?: boolean;
  /** Show another pipeline: after "save a copy", an import, or a dropped file. */
  readonly openPipeline?: (id: string) => void;
  readonly storage?: DraftStorage | null;
  readonly firstRetry?: number;
}

export class Editor implements EditorContext {
  readonly store: StoreApi<EditorState>;
  readonly api: Api;
  readonly runs: RunController;
  readonly checking: Checking;
  readonly drafts: Drafts;
  readonly code = new CodeWriting(this);
  canvas: CanvasHandle | null = null;
  shell: ShellHandle | null = null;

  readonly placing = new Placing();
  /** Node to show as soon as the canvas of its place is mounted. */
  private wanted: string | null = null;
  private readonly saver: Autosave;
  private readonly tabs: OtherTabs;
  private coalescing: string | null = null;
  private nextNotice = 1;

  constructor(private readonly options: EditorOptions) {
    const { api, document, revision, storage = browserStorage() } = options;
    this.api = api;
    this.store = createStore(() => initialState(options));
    this.checking = new Checking(this.store, api, this.placing);
    const client = randomId();
    this.drafts = new Drafts(storage, client);
    this.saver = new Autosave({
      ...options,
      api,
      drafts: this.drafts,
      client,
      document,
      revision,
      listener: {
        onState: (state, conflict, known) => this.showSaving(state, conflict, known),
        onCommitted: (kept, committed) => this.acknowledged(kept, committed),
        join: (base, theirs) => this.joinWith(base, theirs),
        onRefused: (error) => {
          this.notifyError(error);
          this.checking.failed(error);
        },
      },
    });
    this.tabs = new OtherTabs(document.id, client, {
      onOthers: (openElsewhere) => this.store.setState({ openElsewhere }),
      onSavedElsewhere: (known) => void this.catchUp(known),
    });
    this.runs = new RunController(this);
    this.checking.check();
    this.restoreDraft();
  }

  get state(): EditorState {
    return this.store.getState();
  }

  get id(): string {
    return this.options.document.id;
  }

  // the document

  /** Perform one user action on the document; false, with a notice, if it is refused. */
  dispatch(edit: Edit, { label, coalesceKey, select }: DispatchOptions): boolean {
    const before = this.state;
    if (before.readOnly) return false;
    let { document: after, whole } = before;
    try {
      after = edit(before.document, before.catalog);
      whole = this.placing.kept(before, after);
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      this.notifyProblem(error.problems[0]);
      return false;
    }
    if (after === before.document || sameValue(whole, before.whole)) {
      if (select && select !== "added") this.select(select);
      return true;
    }
    const joins = coalesceKey !== undefined && coalesceKey === this.coalescing;
    this.coalescing = coalesceKey ?? null;
    const changed = history.record(before, this.look(whole, before.place), label, joins);
    const selection = history.selectionAfter(before.document, changed, select);
    this.change({ ...changed, selection });
    return true;
  }

  /** Make the next edit of the same field a new undo step. */
  endTyping(): void {
    this.coalescing = null;
  }

  undo(): void {
    this.travel(history.undo);
  }

  redo(): void {
    this.travel(history.redo);
  }

  /** Replace the document by another version loaded from the server. */
  replace({ document, revision }: Opened, label: string): void {
    this.coalescing = null;
    this.store.setState(this.recorded(document, label));
    this.saver.adopt(document, revision);
    void this.checking.askServer();
  }

  /** Replace the document by one made elsewhere, as one edit. */
  edit(whole: PipelineDocument, label: string, coalesceKey: string | null = null): void {
    const joins = coalesceKey !== null && coalesceKey === this.coalescing;
    this.coalescing = coalesceKey;
    this.change(this.recorded(whole, label, joins));
  }

  // the view: not part of the document, cannot be undone

  /** Show the inside of a sub-pipeline, by its path, and there a node; throws `ApiError`. */
  async enter(place: string, node: string | null = null): Promise<void> {
    await this.placing.load(this.canvas?.room());
    const shown = this.look(this.state.whole, place);
    if (shown.place !== this.state.place) {
      this.endTyping();
      this.wanted = node;
      this.go(shown, node === null ? [] : [node]);
    } else if (node !== null) {
      this.select({ nodes: [node] });
      this.canvas?.fitView([node]);
    }
  }

  /** Return to the place that contains the shown sub-pipeline, with its node selected. */
  leave(to: string): void {
    const { place, whole } = this.state;
    const shown = this.look(whole, to);
    const node = shownNode(shown.document, place);
    this.go(shown, node === undefined ? [] : [node]);
  }

  private go(shown: history.Shown, nodes: readonly string[]): void {
    const selection = { ...history.NOTHING, nodes };
    const view = this.canvas?.view();
    if (view) this.placing.views.set(this.state.place, view);
    this.store.setState({ ...shown, selection, viewport: { x: 0, y: 0, zoom: 1 } });
    this.checking.check();
  }

  private look(whole: PipelineDocument, place: string): history.Shown {
    return this.placing.look(this.state, whole, place);
  }

  /** Select exactly these elements; all others are deselected. */
  select(selection: Partial<Selection>): void {
    const wanted = { ...history.NOTHING, ...selection };
    const next = history.same(this.state.selection, wanted);
    if (next !== this.state.selection) this.store.setState({ selection: next });
  }

  setViewport(viewport: Viewport): void {
    this.store.setState({ viewport });
  }

  togglePane(pane: Pane, shown?: boolean): void {
    const { panes } = this.state;
    this.store.setState({ panes: { ...panes, [pane]: shown ?? !panes[pane] } });
  }

  openDialog(dialog: Dialog): void {
    this.store.setState({ dialog });
  }

  closeDialog(): void {
    this.store.setState({ dialog: null });
    this.canvas?.focus();
  }

  /** Register the canvas; returns a function that unregisters it. */
  attachCanvas(canvas: CanvasHandle): () => void {
    this.canvas = canvas;
    this.placing.views.delete(this.state.place); // it has been shown
    if (this.wanted !== null) canvas.fitView([this.wanted]);
    this.wanted = null;
    return () => void (this.canvas = this.canvas === canvas ? null : this.canvas);
  }

  attachShell(shell: ShellHandle): () => void {
    this.shell = shell;
    return () => void (this.shell = this.shell === shell ? null : this.shell);
  }

  // notices

  /** Show a notice and return its id. */
  notify(
    message: string,
    kind: Notice["kind"] = "information",
    action: NoticeAction | null = null,
    problem: Problem | null = null,
  ): number {
    const notice = { id: this.nextNotice, kind, message, problem, action };
    this.nextNotice += 1;
    this.store.setState({ notices: withNotice(this.state.notices, notice) });
    return notice.id;
  }

  notifyProblem(problem: Problem | undefined): void {
    if (problem) this.notify(`${problem.message} ${problem.cure}`, problem.severity, null, problem);
  }

  /** Report what the server refused, or that it is not responding. */
  notifyError(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    this.notify(`${error.message} ${error.cure}`, "error", null, error.problems[0] ?? null);
  }

  dismiss(id: number): void {
    this.store.setState({ notices: this.state.notices.filter((notice) => notice.id !== id) });
  }

  // saving

  /** Save immediately; resolves to true once the server has stored everything. */
  flush(): Promise<boolean> {
    return this.saver.flush();
  }

  /** Overwrite the saved version with the local one. */
  async saveOver(): Promise<void> {
    const { revision } = await openPipeline(this.api, this.id);
    this.saver.overwrite(revision);
    await this.saver.flush();
  }

  /** Replace the local document by the server's version. */
  async reload(label: string): Promise<void> {
    this.replace(await openAgain(this), label);
  }

  /** Show another pipeline instead of this one, if the page can. */
  showPipeline(id: string): void {
    this.options.openPipeline?.(id);
  }

  /** Close every connection; the draft stays if something is unsaved. */
  close(): void {
    this.runs.close();
    this.checking.close();
    this.saver.close();
    this.tabs.close();
  }

  private recorded(whole: PipelineDocument, label: string, joins = false): history.Changed {
    return history.record(this.state, this.look(whole, this.state.place), label, joins);
  }

  private travel(way: typeof history.undo): void {
    this.coalescing = null;
    const before = this.state;
    const changed = way(before, (whole, place) => this.look(whole, place));
    if (changed !== before) this.change(changed);
  }

  /** Apply an edit. The saver comes first: its request is sent before React renders the change. */
  private change(changed: history.Changed): void {
    this.saver.edited(changed.whole);
    this.store.setState(changed);
    this.checking.check();
  }

  private acknowledged(document: PipelineDocument, committed: Committed): void {
    this.tabs.saved(committed.revision);
    this.checking.expect(document, committed.problems);
  }

  private showSaving(saveState: SaveState, conflict: Conflict | null, revision: string): void {
    const before = this.state;
    if (saveState === "conflict" && before.saveState !== "conflict") {
      this.openDialog({ kind: "conflict" });
    }
    if (
      before.saveState !== saveState ||
      before.revision !== revision ||
      !sameValue(before.conflict, conflict)
    ) {
      this.store.setState({ saveState, conflict, revision });
    }
  }

  /** Merge a version saved by somebody else with local edits; null on a conflict. */
  private async joinWith(
    base: PipelineDocument,
    theirs: PipelineDocument,
  ): Promise<PipelineDocument | null> {
    const joining = await import("./joining").catch(() => null); // server unavailable: the user chooses
    const placed = await withPlaces(theirs, this.state.catalog, base).catch(() => null);
    const joined = placed && joining?.join(this.state, { base, theirs: placed }); // with later edits
    if (!joining || !joined) return null;
    const { catalog, selection, place } = this.state;
    const shown = this.look(joined.whole, place);
    const kept = history.stillThere(selection, shown.document);
    this.coalescing = null;
    this.store.setState({ ...shown, history: joined.history, selection: kept });
    this.checking.check();
    this.notify(joining.mergedNotice({ base, theirs: placed }, catalog));
    return joined.whole;
  }

  /** Restore edits that were not acknowledged when the page was closed. */
  private restoreDraft(): void {
    const { document, revision } = this.options;
    const { newest: draft, isOurs, others } = leftBehind(this.drafts, document, revision);
    if (!draft) return;
    this.store.setState(this.recorded(draft.document, t("Unsaved edits")));
    this.checking.check();
    if (!isOurs) this.saver.collide({ reason: "changed", theirs: document }, draft.revision);
    this.saver.edited(draft.document);
    if (isOurs) this.notify(t("Unsaved edits have been restored."), "information");
    offer(this, others);
  }

  /** Load a version saved elsewhere, unless there are unsaved or newer local edits. */
  async catchUp(revision: string | null = null): Promise<void> {
    const before = this.state.revision;
    if (revision === before || !this.saver.isClean) return;
    const opened = await openAgain(this).catch(() => null);
    if (!opened || !this.saver.isClean) return;
    if (this.state.revision !== before) await this.catchUp(revision);
    else if (opened.revision !== before) this.replace(opened, t("Change from elsewhere"));
  }

  /** Take over the current modules and compute targets. */
  takeOffer(offer: Partial<Pick<EditorState, "catalog" | "targets">>): void {
    this.store.setState(offer);
    this.checking.check();
  }
}
