/** Selectors of components. Each returns the same object until its value has changed. */

import { type ArtifactOf, stalenessOf } from "../graph/staleness";
import { isBoundary, stepAt } from "../graph/paths";
import { findNode, nodesById, remembered } from "../graph/lookup";
import { type Pin, pinOf, unneededNodes } from "../graph/pins";
import { isOpenInput } from "../graph/problems";
import { order } from "../graph/traversal";
import { NEW_STEP, hasSucceeded, isFinished } from "../graph/runState";
import { twinNumber } from "../graph/titles";
import type {
  Group,
  Note,
  PipelineDocument,
  PipelineNode,
  Problem,
  Settings,
  StepState,
} from "../graph/types";
import type { EditorState, Pane, RunView, SaveState, Selection, Verdict } from "./types";

type Select<Value> = (state: EditorState) => Value;

const noProblems: readonly Problem[] = [];
const noReasons: readonly string[] = [];
const noCurves: RunView["metrics"][string] = {};
const noMetrics: RunView["metrics"] = {};
const noSteps: RunView["steps"] = {};

export const selectDocument = (state: EditorState): PipelineDocument => state.document;
export const selectPlace = (state: EditorState): string => state.place;
export const selectWhole = (state: EditorState): PipelineDocument => state.whole;
export const selectShownOf = (state: EditorState): EditorState["shownOf"] => state.shownOf;
export const selectCatalog = (state: EditorState): EditorState["catalog"] => state.catalog;
export const selectTargets = (state: EditorState): EditorState["targets"] => state.targets;
export const selectSelection = (state: EditorState): Selection => state.selection;
export const selectProblems = (state: EditorState): readonly Problem[] => state.problems;
export const selectSaveState = (state: EditorState): SaveState => state.saveState;
export const selectConflict = (state: EditorState): EditorState["conflict"] => state.conflict;
export const selectDialog = (state: EditorState): EditorState["dialog"] => state.dialog;
export const selectNotices = (state: EditorState): EditorState["notices"] => state.notices;
export const selectRun = (state: EditorState): RunView | null => state.run;
export const selectViewport = (state: EditorState): EditorState["viewport"] => state.viewport;
export const selectSettings = (state: EditorState): Settings => state.document.settings;
export const selectName = (state: EditorState): string => state.document.name;
export const selectIsReadOnly = (state: EditorState): boolean => state.readOnly;
export const selectIsEmpty = (state: EditorState): boolean =>
  state.document.nodes.length === 0 && state.document.notes.length === 0;
export const selectRunId = (state: EditorState): string | null => state.run?.id ?? null;
/** Message about a frozen runner of an active run, and what to do. */
export const selectRunnerProblem = ({ run }: EditorState): string | null =>
  run === null || isFinished(run.state) ? null : run.runnerProblem;

type LastingNotice = "offline" | "conflict" | "frozen" | "elsewhere";

/** The notice that is shown until its cause is gone; null if there is none. */
export function selectLastingNotice(state: EditorState): LastingNotice | null {
  const { saveState, openElsewhere } = state;
  if (saveState === "offline" || saveState === "conflict") return saveState;
  if (selectRunnerProblem(state) !== null) return "frozen";
  return openElsewhere ? "elsewhere" : null;
}

export const selectSteps = (state: EditorState): RunView["steps"] => state.run?.steps ?? noSteps;

export const selectNode =
  (id: string): Select<PipelineNode | undefined> =>
  (state) =>
    findNode(state.document, id);

export const selectIsSelected = (id: string): Select<boolean> => {
  return (state) => selectedNodes(state.selection).has(id);
};

/** Select the only selected node; undefined for none or several. */
export const selectOnlyNode = (state: EditorState): PipelineNode | undefined => {
  const [id, ...others] = state.selection.nodes;
  return id === undefined || others.length ? undefined : findNode(state.document, id);
};

export const selectPane =
  (pane: Pane): Select<boolean> =>
  (state) =>
    state.panes[pane];

export const selectNote =
  (id: string): Select<Note | undefined> =>
  (state) =>
    state.document.notes.find((note) => note.id === id);

export const selectGroup =
  (id: string): Select<Group | undefined> =>
  (state) =>
    state.document.groups.find((group) => group.id === id);

/** Number of a node among those with the same title; undefined for the only one. */
export const selectTwin =
  (node: string) =>
  ({ document, catalog }: EditorState): number | undefined =>
    twinNumber(document.nodes, node, catalog);

/** True while the title of this node or group is edited. */
export const selectIsRenaming =
  (id: string): Select<boolean> =>
  ({ dialog }) =>
    dialog?.kind === "rename" && dialog.node === id;

export const selectProblemsOf =
  (id: string): Select<readonly Problem[]> =>
  (state) =>
    state.problemsByNode[id] ?? noProblems;

/** Select the verdict; without a server that stores anything none can arrive. */
export const selectVerdict = ({ verdict, saveState }: EditorState): Verdict =>
  verdict === "stale" && (saveState === "offline" || saveState === "conflict")
    ? "missing"
    : verdict;

/** Number of errors that prevent a run. */
export const selectNumErrors = (state: EditorState): number =>
  state.problems.reduce((sum, problem) => sum + (problem.severity === "error" ? 1 : 0), 0);

export const selectNumOpenInputs = (state: EditorState): number =>
  state.problems.filter(isOpenInput).length;

export const selectNumWarnings = (state: EditorState): number =>
  state.problems.reduce((sum, problem) => sum + (problem.severity === "warning" ? 1 : 0), 0);

/** Step of a node in the shown run; undefined without a run. */
export const selectStep =
  (id: string): Select<StepState | undefined> =>
  (state) =>
    state.run ? (stepAt(state.run.steps, id) ?? NEW_STEP) : undefined;

/** Pin that the shown run used for a node; undefined if it computed or reused its result. */
export const selectUsedPin =
  (id: string): Select<Pin | undefined> =>
  (state) => {
    const ran = state.run?.document;
    if (!ran || stepAt(state.run.steps, id)?.status !== "reused") return undefined;
    return pinOf(findNode(state.shownOf(ran), id));
  };

/** True for a node that runs do not compute, because only pinned nodes would read it. */
export const selectIsUnneeded =
  (id: string): Select<boolean> =>
  ({ document, catalog }) =>
    unneededNodes(document)(catalog).has(id);

export const selectMetrics = (state: EditorState): RunView["metrics"] =>
  state.run?.metrics ?? noMetrics;

export const selectMetricsOf =
  (id: string): Select<RunView["metrics"][string]> =>
  (state) =>
    state.run?.metrics[id] ?? noCurves;

export const selectIsRunning = (state: EditorState): boolean =>
  state.run !== null && !isFinished(state.run.state);

/** Reasons why a node's result is stale; empty if it is up to date. */
export const selectStaleness =
  (id: string): Select<readonly string[]> =>
  (state) => {
    const step = state.run && stepAt(state.run.steps, id);
    return step && hasSucceeded(step) ? (staleness(state)[id] ?? noReasons) : noReasons;
  };

/** Reasons why the primary metric of the shown run is stale; empty if it is up to date. */
export const selectResultStaleness: Select<readonly string[]> = (state) =>
  state.run?.headline ? selectStaleness(state.run.headline.node)(state) : noReasons;

/** Number of nodes that a new run of the finished one would compute again, or for the first time;
 * 0 for a pipeline that has not run. */
export const selectNumOutdated: Select<number> = (state) => {
  const { run, document, catalog, place } = state;
  if (!run || !isFinished(run.state) || place !== "") return 0;
  const unneeded = unneededNodes(document)(catalog);
  const wanted = document.nodes.filter(({ id, disabled }) => !disabled && !unneeded.has(id));
  const again = wanted.filter(({ id }) => {
    const step = stepAt(run.steps, id);
    return !step || !hasSucceeded(step) || staleness(state)[id] !== undefined;
  });
  return again.length < wanted.length ? again.length : 0;
};

/** True if the pipeline differs from the one of the shown run: continuing needs a new run. */
export const selectHasChanged = (state: EditorState): boolean => {
  const ran = state.run?.document;
  if (!ran) return false;
  const stale = wholeStaleness(ran)(state.whole)(state.catalog);
  return ran.nodes.some(
    ({ id }) => stale[id] !== undefined || findNode(state.whole, id) === undefined,
  );
};

/** Computed once for a run and a version of the pipeline: nodes select it after every change. */
const wholeStaleness = remembered((ran: PipelineDocument) =>
  remembered((now: PipelineDocument) =>
    remembered((catalog: EditorState["catalog"]) => stalenessOf(ran, now, catalog)),
  ),
);

/** Select the node ids in execution order, otherwise in document order: for the outline. */
export const selectOrder = (state: EditorState): readonly string[] => orderOf(state.document);

const orderOf = remembered((document: PipelineDocument): readonly string[] =>
  (order(document) ?? [...nodesById(document).keys()]).filter((id) => !isBoundary(id)),
);

const selectedNodes = remembered(
  (selection: Selection): ReadonlySet<string> => new Set(selection.nodes),
);

/** Computed once for each document; equal lists keep their identity. */
let last: { of: readonly unknown[]; value: Readonly<Record<string, readonly string[]>> } = {
  of: [],
  value: {},
};

function staleness(state: EditorState): Readonly<Record<string, readonly string[]>> {
  const ran = state.run?.document && state.shownOf(state.run.document);
  if (!ran) return {};
  const artifactOf: ArtifactOf = (id) => stepAt(state.run?.steps ?? noSteps, id)?.artifact_id;
  const pinned = state.document.nodes.filter(pinOf).map(({ id }) => artifactOf(id) ?? "");
  const of = [ran, state.document, state.catalog, pinned.join()];
  if (of.every((value, place) => value === last.of[place])) return last.value;
  const fresh = Object.entries(stalenessOf(ran, state.document, state.catalog, artifactOf));
  const value = Object.fromEntries(
    fresh.map(([id, reasons]) => {
      const old = last.value[id];
      return [id, old && old.join() === reasons.join() ? old : reasons];
    }),
  );
  last = { of, value };
  return value;
}
