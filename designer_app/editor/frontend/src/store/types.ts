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

/** "saved" is said only when the server has acknowledged this very document. */
export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict";

/** Why saving stopped and what is to be chosen. */
export interface Conflict {
  /** "changed": someone else saved another version; "deleted": the pipeline is gone. */
  readonly reason: "changed" | "deleted";
  /** The saved version; and the common base of both versions, if it is known. */
  readonly theirs?: PipelineDocument;
  readonly base?: PipelineDocument;
}

/** "current": the problems are those of the pipeline as it is; "stale": of an earlier version, the
 * answer is on its way; "missing": the server did not answer. */
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
  /** Edits in a row with the same key are one step: typing in a field. */
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
  /** The whole of it. */
  readonly document: PipelineDocument;
  /** Place that was shown during the action. */
  readonly place: string;
  readonly selection: Selection;
}

export interface History {
  /** The newest last; at most 200. Each holds what was there before the action of its label. */
  readonly past: readonly HistoryStep[];
  /** Undone steps, the next to redo last. */
  readonly future: readonly HistoryStep[];
}

/** The run that the canvas shows. Results survive undo: they are not part of the document. */
export interface RunView {
  readonly id: string;
  readonly connection: "connecting" | "live" | "reconnecting" | "paused" | "ended";
  /** The run's own state, without its steps. */
  readonly state: Omit<RunState, "steps">;
  /** Each entry keeps its identity until something happens to that node. */
  readonly steps: Readonly<Record<string, StepState>>;
  /** Node -> metric name -> points in the order of their steps. */
  readonly metrics: Readonly<Record<string, Readonly<Record<string, readonly MetricPoint[]>>>>;
  /** The document at submission. */
  readonly document: PipelineDocument | null;
  /** Message about a frozen runner, and what to do; null if it works. */
  readonly runnerProblem: string | null;
  /** The number the run is judged by, as far as it is. */
  readonly headline: Headline | null;
}

/** Something said once, at the edge of the canvas. */
export interface Notice {
  readonly id: number;
  /** "progress" stays until the work that it reports is over. */
  readonly kind: "information" | "warning" | "error" | "success" | "progress";
  readonly message: string;
  readonly problem: Problem | null;
  /** A command offered with it: its id, arguments and label. */
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
  | { readonly kind: "code" };

/** The port a wire was drawn from before it was dropped in the void. */
export interface LinkStart {
  readonly end: Endpoint;
  readonly side: "input" | "output";
}

/** Panes that can be shown or collapsed; "previews" are those on the nodes. */
export type Pane = "palette" | "settings" | "problems" | "outline" | "minimap" | "previews";

export interface EditorState {
  readonly pipelineId: string;
  /** Looked at, never changed: the graph of a run. */
  readonly readOnly: boolean;
  /** Document on the canvas: the pipeline, or the inside of a sub-pipeline with paths as ids. */
  readonly document: PipelineDocument;
  /** The pipeline with all that it holds: what is saved, checked and run. */
  readonly whole: PipelineDocument;
  /** The path of the node whose inside is shown; empty for the pipeline itself. */
  readonly place: string;
  /** Return the document that the canvas would show of another version of the pipeline. */
  readonly shownOf: (whole: PipelineDocument) => PipelineDocument;
  /** The ETag of the newest revision that is known; null before the first save. */
  readonly revision: string | null;
  readonly catalog: Catalog;
  readonly targets: readonly ComputeTarget[];
  readonly saveState: SaveState;
  readonly conflict: Conflict | null;
  /** Another tab has the same pipeline open. */
  readonly openElsewhere: boolean;
  /** Everything that the server found wrong, in the order of the nodes. */
  readonly problems: readonly Problem[];
  /** The same by node; an array keeps its identity while its problems stay the same. */
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
  show(panel: "versions" | "tour" | "timeline"): void;
  /** Works out what a run would do, and shows it on the nodes. */
  forecast(): Promise<void>;
}

/** Interface for commands to the canvas; it registers itself by `editor.attachCanvas`. */
export interface CanvasHandle {
  fitView(nodes?: readonly string[]): void;
  /**
   * Move the view as little as possible to show the node; `least`: the zoom that it needs, `card`:
   * the size of the card below it, in pixels of the screen.
   */
  reveal(node: string, least?: number, card?: Size): void;
  /** Animate nodes from their previous positions. */
  glideFrom(places: ReadonlyMap<string, Position>): void;
  zoomBy(factor: number): void;
  view(): Viewport;
  /** Explain at the input why this link is refused, and offer the module that would connect the
   * two. */
  refuse(from: Endpoint, to: Endpoint): void;
  /** The middle of what is seen, in the document's pixels. */
  centre(): Position;
  /** The pointer in the document's pixels; null when it is elsewhere. */
  pointer(): Position | null;
  /** Sizes as drawn; nodes that were not drawn yet are missing. */
  sizes(): ReadonlyMap<string, Size>;
  /** Size of the canvas itself, in pixels of the screen. */
  room(): Size;
  focus(): void;
}
