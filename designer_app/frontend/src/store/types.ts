/** State of the store of one open pipeline. Components read it through selectors.ts. */

import type { Headline } from "../api/types.gen";
import type { Catalog } from "../graph/catalog";
import type {
  ComputeTarget,
  Endpoint,
  MetricPoint,
  PipelineDocument,
  Position,
  Problem,
  RunState,
  Size,
  StepState,
} from "../graph/types";

/** "saved" only if the server has acknowledged this exact document. */
export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict";

/** Reason why saving stopped, and the versions to choose from. */
export interface Conflict {
  /** "changed": someone else saved another version; "deleted": the pipeline was deleted. */
  readonly reason: "changed" | "deleted";
  /** Saved version; and the common base of both versions, if known. */
  readonly theirs?: PipelineDocument;
  readonly base?: PipelineDocument;
}

/** "current": the problems are those of the current pipeline; "stale": of an earlier version, the
 * response is pending; "missing": the server did not respond. */
export type Verdict = "current" | "stale" | "missing";

/** Selected elements; links are named by the input they end at, as `node.port`. */
export interface Selection {
  readonly nodes: readonly string[];
  readonly links: readonly string[];
  readonly notes: readonly string[];
  readonly groups: readonly string[];
}

export interface DispatchOptions {
  /** Label for undo: "Add DenseNet". */
  readonly label: string;
  /** Consecutive edits with the same key are one step, such as typing into a field. */
  readonly coalesceKey?: string;
  /** Selection afterwards; "added" selects the new nodes. */
  readonly select?: Partial<Selection> | "added";
}

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** A user action that can be undone. */
export interface HistoryStep {
  readonly label: string;
  /** The whole document. */
  readonly document: PipelineDocument;
  /** Place that was shown during the action. */
  readonly place: string;
  readonly selection: Selection;
}

export interface History {
  /** Done steps, newest last, at most 200. Each contains the state before its action. */
  readonly past: readonly HistoryStep[];
  /** Undone steps, the next to redo last. */
  readonly future: readonly HistoryStep[];
}

/** Run shown on the canvas. Results survive undo: they are not part of the document. */
export interface RunView {
  readonly id: string;
  readonly connection: "connecting" | "live" | "reconnecting" | "paused" | "ended";
  /** State of the run without its steps. */
  readonly state: Omit<RunState, "steps">;
  /** Each entry keeps its identity until an event of its node. */
  readonly steps: Readonly<Record<string, StepState>>;
  /** Node -> metric name -> points in the order of their steps. */
  readonly metrics: Readonly<Record<string, Readonly<Record<string, readonly MetricPoint[]>>>>;
  /** The document at submission. */
  readonly document: PipelineDocument | null;
  /** Message about a frozen runner, and what to do; null if it works. */
  readonly runnerProblem: string | null;
  /** Primary metric of the run, if known. */
  readonly headline: Headline | null;
}

/** Message shown once, at the edge of the canvas. */
export interface Notice {
  readonly id: number;
  /** "progress" stays until the reported work is done. */
  readonly kind: "information" | "warning" | "error" | "success" | "progress";
  readonly message: string;
  readonly problem: Problem | null;
  /** Command that it offers: id, arguments and label. */
  readonly action: NoticeAction | null;
}

export interface NoticeAction {
  readonly label: string;
  readonly command: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

export type Dialog =
  | {
      readonly kind: "module search";
      readonly at: Position | null;
      readonly from: LinkStart | null;
    }
  | { readonly kind: "submit" }
  | { readonly kind: "shortcuts" }
  | { readonly kind: "find" }
  | { readonly kind: "commands" }
  | { readonly kind: "rename"; readonly node: string }
  | { readonly kind: "documentation"; readonly module: string }
  | { readonly kind: "stop" }
  | { readonly kind: "conflict" }
  | { readonly kind: "compare" }
  | { readonly kind: "code" };

/** Port from which a wire was drawn before it was dropped on the empty canvas. */
export interface LinkStart {
  readonly end: Endpoint;
  readonly side: "input" | "output";
}

/** Panes that can be shown or collapsed; "previews" are those on the nodes. */
export type Pane = "palette" | "settings" | "problems" | "outline" | "minimap" | "previews";

export interface EditorState {
  readonly pipelineId: string;
  /** True for a read-only graph, such as that of a run. */
  readonly readOnly: boolean;
  /** Document on the canvas: the pipeline, or the inside of a sub-pipeline with paths as ids. */
  readonly document: PipelineDocument;
  /** The whole pipeline, including sub-pipelines: it is saved, checked and executed. */
  readonly whole: PipelineDocument;
  /** Path of the node whose inside is shown; empty for the pipeline itself. */
  readonly place: string;
  /** Return the document that the canvas would show of another version of the pipeline. */
  readonly shownOf: (whole: PipelineDocument) => PipelineDocument;
  /** ETag of the newest known revision; null before the first save. */
  readonly revision: string | null;
  readonly catalog: Catalog;
  readonly targets: readonly ComputeTarget[];
  readonly saveState: SaveState;
  readonly conflict: Conflict | null;
  /** True if another tab has the same pipeline open. */
  readonly openElsewhere: boolean;
  /** All problems reported by the server, in the order of the nodes. */
  readonly problems: readonly Problem[];
  /** Problems by node; an array keeps its identity while its problems stay the same. */
  readonly problemsByNode: Readonly<Record<string, readonly Problem[]>>;
  readonly verdict: Verdict;
  readonly selection: Selection;
  readonly viewport: Viewport;
  readonly history: History;
  readonly run: RunView | null;
  readonly panes: Readonly<Record<Pane, boolean>>;
  readonly dialog: Dialog | null;
  readonly notices: readonly Notice[];
}

/** Interface for commands to everything around the canvas; it registers itself by
 * `editor.attachShell`. */
export interface ShellHandle {
  show(panel: "versions" | "tour" | "timeline" | "result" | "try"): void;
  /** Estimate a run and show the result on the nodes. */
  forecast(): Promise<void>;
}

/** Interface for commands to the canvas; it registers itself by `editor.attachCanvas`. */
export interface CanvasHandle {
  fitView(nodes?: readonly string[]): void;
  /**
   * Move the view as little as possible to show the node; `least`: the zoom that it needs, `card`:
   * the size of the card below it, in pixels of the screen. Returns the new view if it moves.
   */
  reveal(node: string, least?: number, card?: Size): Viewport | undefined;
  /** Move to a view. */
  show(view: Viewport): void;
  /** Animate nodes from their previous positions. */
  glideFrom(places: ReadonlyMap<string, Position>): void;
  zoomBy(factor: number): void;
  view(): Viewport;
  /** Explain at the input why this link is refused, and offer the module that would connect the
   * two. */
  refuse(from: Endpoint, to: Endpoint): void;
  /** Middle of the visible area, in pixels of the document. */
  centre(): Position;
  /** Position of the pointer in pixels of the document; null if it is outside. */
  pointer(): Position | null;
  /** Rendered sizes; nodes that have not been rendered yet are missing. */
  sizes(): ReadonlyMap<string, Size>;
  /** Size of the canvas without what panes cover of its width, in pixels of the screen. */
  room(): Size;
  focus(): void;
}
