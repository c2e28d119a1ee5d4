/** What components read. Each gives the same object until what it selects has changed. */

import { colourOf, inputOf, outputOf } from "../graph/catalog";
import { stalenessOf } from "../graph/documentDiff";
import { findNode, linkAt, linksFrom, nodesById, remembered } from "../graph/lookup";
import { order } from "../graph/traversal";
import { NEW_STEP, hasSucceeded, isFinished } from "../graph/runState";
import type {
  Endpoint,
  Link,
  ModuleSpec,
  PipelineDocument,
  PipelineNode,
  Problem,
  StepState,
} from "../graph/types";
import type { EditorState, RunView, SaveState, Selection } from "./types";

type Select<Value> = (state: EditorState) => Value;

const noProblems: readonly Problem[] = [];
const noReasons: readonly string[] = [];
const noCurves: RunView["metrics"][string] = {};
const noSteps: RunView["steps"] = {};

export const selectDocument = (state: EditorState): PipelineDocument => state.document;
export const selectCatalog = (state: EditorState): EditorState["catalog"] => state.catalog;
export const selectTargets = (state: EditorState): EditorState["targets"] => state.targets;
export const selectSelection = (state: EditorState): Selection => state.selection;
export const selectProblems = (state: EditorState): readonly Problem[] => state.problems;
export const selectSaveState = (state: EditorState): SaveState => state.saveState;
export const selectConflict = (state: EditorState): EditorState["conflict"] => state.conflict;
export const selectDialog = (state: EditorState): EditorState["dialog"] => state.dialog;
export const selectNotices = (state: EditorState): EditorState["notices"] => state.notices;
export const selectPanes = (state: EditorState): EditorState["panes"] => state.panes;
export const selectRun = (state: EditorState): RunView | null => state.run;
export const selectViewport = (state: EditorState): EditorState["viewport"] => state.viewport;
export const selectZoom = (state: EditorState): number => state.viewport.zoom;
export const selectSteps = (state: EditorState): RunView["steps"] => state.run?.steps ?? noSteps;

export const selectCanUndo = (state: EditorState): boolean => state.history.past.length > 0;
export const selectCanRedo = (state: EditorState): boolean => state.history.future.length > 0;

/** What undo would take back: "Add DenseNet"; null for nothing. */
export const selectUndoLabel = (state: EditorState): string | null =>
  state.history.past.at(-1)?.label ?? null;
export const selectRedoLabel = (state: EditorState): string | null =>
  state.history.future.at(-1)?.label ?? null;

export const selectNode =
  (id: string): Select<PipelineNode | undefined> =>
  (state) =>
    findNode(state.document, id);

/** The module of a node; undefined where it is not installed. */
export const selectModuleOf =
  (id: string): Select<ModuleSpec | undefined> =>
  (state) =>
    state.catalog.byId.get(findNode(state.document, id)?.module ?? "");

export const selectIsSelected = (id: string): Select<boolean> => {
  return (state) => selectedNodes(state.selection).has(id);
};

/** The one selected node; undefined for none or several. */
export const selectOnlyNode = (state: EditorState): PipelineNode | undefined => {
  const [id, ...others] = state.selection.nodes;
  return id === undefined || others.length ? undefined : findNode(state.document, id);
};

export const selectLinkAt =
  (to: Endpoint): Select<Link | undefined> =>
  (state) =>
    linkAt(state.document, to);

/** True where a wire ends or begins at the port. */
export const selectIsLinked =
  (node: string, port: string, side: "input" | "output"): Select<boolean> =>
  (state) =>
    side === "input"
      ? linkAt(state.document, { node, port }) !== undefined
      : linksFrom(state.document, node).some((link) => link.from.port === port);

/** The colour word of a port's type. */
export const selectPortColour =
  (node: string, port: string, side: "input" | "output"): Select<string> =>
  (state) => {
    const module = state.catalog.byId.get(findNode(state.document, node)?.module ?? "");
    const found = module && (side === "input" ? inputOf(module, port) : outputOf(module, port));
    return found ? colourOf(state.catalog, found.type) : "grey";
  };

export const selectProblemsOf =
  (id: string): Select<readonly Problem[]> =>
  (state) =>
    state.problemsByNode[id] ?? noProblems;

/** How many errors keep the pipeline from running. */
export const selectNumErrors = (state: EditorState): number =>
  state.problems.reduce((sum, each) => sum + (each.severity === "error" ? 1 : 0), 0);

/** How far a node is in the run that is shown; undefined where there is no run. */
export const selectStep =
  (id: string): Select<StepState | undefined> =>
  (state) =>
    state.run ? (state.run.steps[id] ?? NEW_STEP) : undefined;

export const selectStatus =
  (id: string): Select<string> =>
  (state) =>
    state.run?.steps[id]?.status ?? "not started";

export const selectMetricsOf =
  (id: string): Select<RunView["metrics"][string]> =>
  (state) =>
    state.run?.metrics[id] ?? noCurves;

export const selectRunStatus = (state: EditorState): string | null =>
  state.run?.state.status ?? null;

export const selectIsRunning = (state: EditorState): boolean =>
  state.run !== null && !isFinished(state.run.state);

/** Why the result a node gave is no longer what it would give; empty where it still is. */
export const selectStaleness =
  (id: string): Select<readonly string[]> =>
  (state) => {
    const step = state.run?.steps[id];
    return step && hasSucceeded(step) ? (staleness(state)[id] ?? noReasons) : noReasons;
  };

/** True where the pipeline is no longer what the shown run ran: to go on with it means a new run. */
export const selectHasChanged = (state: EditorState): boolean => {
  const stale = staleness(state);
  return (state.run?.document?.nodes ?? []).some(
    ({ id }) => stale[id] !== undefined || findNode(state.document, id) === undefined,
  );
};

/** The node ids in the order they run, else as in the document: for the outline. */
export const selectOrder = (state: EditorState): readonly string[] => orderOf(state.document);

const orderOf = remembered(
  (document: PipelineDocument): readonly string[] =>
    order(document) ?? [...nodesById(document).keys()],
);

const selectedNodes = remembered(
  (selection: Selection): ReadonlySet<string> => new Set(selection.nodes),
);

/** Made once for each document; lists that hold the same as before are the same as before. */
let last: { of: readonly unknown[]; value: Readonly<Record<string, readonly string[]>> } = {
  of: [],
  value: {},
};

function staleness(state: EditorState): Readonly<Record<string, readonly string[]>> {
  const ran = state.run?.document;
  if (!ran) return {};
  const of = [ran, state.document, state.catalog];
  if (of.every((each, place) => each === last.of[place])) return last.value;
  const fresh = Object.entries(stalenessOf(ran, state.document, state.catalog));
  const value = Object.fromEntries(
    fresh.map(([id, reasons]) => {
      const old = last.value[id];
      return [id, old && old.join() === reasons.join() ? old : reasons];
    }),
  );
  last = { of, value };
  return value;
}
