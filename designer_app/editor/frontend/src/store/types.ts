/** What the store of one open pipeline holds. Components read it by the selectors of selectors.ts. */

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
  /** What is saved by now; and what both versions were made from, where that is known. */
  readonly theirs?: PipelineDocument;
  readonly base?: PipelineDocument;
}

/** What is selected; links are named by the input they end at, as `node.port`. */
export interface Selection {
  readonly nodes: readonly string[];
  readonly links: readonly string[];
  readonly notes: readonly string[];
  readonly groups: readonly string[];
}

export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** One user action that can be undone. */
export interface HistoryStep {
  readonly label: string;
  /** The whole of it. */
  readonly document: PipelineDocument;
  /** Where the action was: what was shown. */
  readonly place: string;
  readonly selection: Selection;
}

export interface History {
  /** The newest last; at most 200. Each holds what was there before the action of its label. */
  readonly past: readonly HistoryStep[];
  /** What undo took back, the next to redo last. */
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
  /** The document as it was submitted. */
  readonly document: PipelineDocument | null;
  /** That the runner is frozen, and what to do; null where it works. */
  readonly runnerProblem: string | null;
  /** The number the run is judged by, as far as it is. */
  readonly headline: Headline | null;
}

/** Something said once, at the edge of the canvas. */
export interface Notice {
  readonly id: number;
  /** "progress" stays until what it tells of is over. */
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

/** What can be shown or folded; "previews" are those on the nodes. */
export type Pane = "palette" | "settings" | "problems" | "outline" | "minimap" | "previews";

export interface EditorState {
  readonly pipelineId: string;
  /** Looked at, never changed: the graph of a run. */
  readonly readOnly: boolean;
  /** What the canvas shows: the pipeline, or the inside of a sub-pipeline with paths as ids. */
  readonly document: PipelineDocument;
  /** The pipeline with all that it holds: what is saved, checked and run. */
  readonly whole: PipelineDocument;
  /** The path of the node whose inside is shown; empty for the pipeline itself. */
  readonly place: string;
  /** What the canvas would show of another version of the pipeline. */
  readonly shownOf: (whole: PipelineDocument) => PipelineDocument;
  /** The ETag of the newest revision that is known; null before the first save. */
  readonly revision: string | null;
  readonly catalog: Catalog;
  readonly targets: readonly ComputeTarget[];
  readonly saveState: SaveState;
  readonly conflict: Conflict | null;
  /** Another tab has the same pipeline open. */
  readonly openElsewhere: boolean;
  /** Everything that is wrong, found here or by the server, in the order of the nodes. */
  readonly problems: readonly Problem[];
  /** The same by node; an array keeps its identity while its problems stay the same. */
  readonly problemsByNode: Readonly<Record<string, readonly Problem[]>>;
  readonly selection: Selection;
  readonly viewport: Viewport;
  readonly history: History;
  readonly run: RunView | null;
  readonly panes: Readonly<Record<Pane, boolean>>;
  readonly dialog: Dialog | null;
  readonly notices: readonly Notice[];
}

/** What commands need of what is around the canvas; it registers itself by `editor.attachShell`. */
export interface ShellHandle {
  show(what: "versions" | "tour" | "timeline"): void;
  /** Works out what a run would do, and shows it on the nodes. */
  forecast(): Promise<void>;
}

/** What commands need of the canvas; it registers itself by `editor.attachCanvas`. */
export interface CanvasHandle {
  fitView(nodes?: readonly string[]): void;
  /**
   * Moves the view by no more than puts the node in sight; `least`: the zoom that it needs,
   * `card`: what hangs below it, in pixels of the screen.
   */
  reveal(node: string, least?: number, card?: Size): void;
  /** Nodes that were in other places just now are seen on their way to those they are in. */
  glideFrom(places: ReadonlyMap<string, Position>): void;
  zoomBy(factor: number): void;
  view(): Viewport;
  /** Says at the input why this link is refused, and offers the module that would join the two. */
  refuse(from: Endpoint, to: Endpoint): void;
  /** The middle of what is seen, in the document's pixels. */
  centre(): Position;
  /** The pointer in the document's pixels; null when it is elsewhere. */
  pointer(): Position | null;
  /** Sizes as drawn; nodes that were not drawn yet are missing. */
  sizes(): ReadonlyMap<string, Size>;
  /** Of the canvas itself, in pixels of the screen. */
  room(): Size;
  focus(): void;
}
