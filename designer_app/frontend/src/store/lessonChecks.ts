/** Checks of a lesson step: against the pipeline, its run and the view. */

import type {
  ConfirmedCheck,
  LessonStep,
  LinkCheck,
  LookedCheck,
  ParameterCheck,
  RanCheck,
  RunSettingCheck,
  ShownCheck,
  VariedCheck,
} from "../api/types.gen";
import type { Catalog } from "../graph/catalog";
import { nodesById } from "../graph/lookup";
import { valueOf } from "../graph/parameters";
import { hasSucceeded } from "../graph/runState";
import { spaceOf } from "../graph/sweep";
import type { JsonValue, PipelineDocument, PipelineNode } from "../graph/types";
import type { RunView } from "./types";

/** State that checks read. */
export interface LessonScene {
  readonly document: PipelineDocument;
  readonly catalog: Catalog;
  readonly run: Pick<RunView, "document" | "steps"> | null;
  /** The only selected node. */
  readonly selected: string | null;
  /** Tab that the pane of the selected node displays. */
  readonly tab: string;
  /** Outputs that were opened, as `node.port`. */
  readonly looked: ReadonlySet<string>;
}

type DocumentCheck = ParameterCheck | RunSettingCheck | LinkCheck;
type Check = DocumentCheck | RanCheck | ShownCheck | LookedCheck | VariedCheck | ConfirmedCheck;

const ANY_OF_MODULE = "module:";

export function isStepDone(step: LessonStep, scene: LessonScene): boolean {
  return step.checks.every((check) => holds(check, scene));
}

/** Return true for a step that only the user can mark as done. */
export function isConfirmedByUser(step: LessonStep): boolean {
  return step.checks.some(({ kind }) => kind === "confirmed");
}

function holds(check: Check, scene: LessonScene): boolean {
  switch (check.kind) {
    case "ran":
      return hasRun(check, scene);
    case "shown":
      return isShown(check, scene);
    case "looked":
      return scene.looked.has(`${check.node}.${check.port}`) || isTried(check, scene);
    case "varied":
      return spaceOf(scene.document, `${check.node}.${check.parameter}`) !== undefined;
    case "confirmed":
      return false;
    default:
      return holdsIn(check, scene.document, scene.catalog);
  }
}

/** A result is shown by its tab, and by opening the output. */
function isShown(check: ShownCheck, { selected, tab, looked }: LessonScene): boolean {
  if (selected === check.node && tab === check.tab) return true;
  return check.tab === "result" && [...looked].some((end) => end.startsWith(`${check.node}.`));
}

/** The tab Try looks into the output, too. */
function isTried({ node }: LookedCheck, { selected, tab }: LessonScene): boolean {
  return selected === node && tab === "try";
}

/** Return true if the submitted pipeline of the run passed, independently of later edits. */
function hasRun(check: RanCheck, { run, catalog }: LessonScene): boolean {
  const step = run?.steps[check.node];
  if (!step || !hasSucceeded(step)) return false;
  if (check.reused != null && run.steps[check.reused]?.status !== "reused") return false;
  const { document } = run;
  return (check.of ?? []).every(
    (condition) => document !== null && holdsIn(condition, document, catalog),
  );
}

function holdsIn(check: DocumentCheck, document: PipelineDocument, catalog: Catalog): boolean {
  if (check.kind === "link") return isLinked(document, check.source, check.target);
  return nodesOf(check.node, document).some((node) => {
    if (check.kind === "run setting") return compares(node.run_settings[check.setting], check);
    if (check.feeds != null && !feeds(document, node.id, check.feeds)) return false;
    const parameter = catalog.byId
      .get(node.module)
      ?.parameters.find(({ id }) => id === check.parameter);
    return parameter !== undefined && compares(valueOf(parameter, node), check);
  });
}

function nodesOf(name: string, document: PipelineDocument): readonly PipelineNode[] {
  if (name.startsWith(ANY_OF_MODULE)) {
    const module = name.slice(ANY_OF_MODULE.length);
    return document.nodes.filter((node) => node.module === module);
  }
  const node = nodesById(document).get(name);
  return node ? [node] : [];
}

function isLinked(document: PipelineDocument, source: string, target: string): boolean {
  return document.links.some(
    ({ from, to }) => `${from.node}.${from.port}` === source && `${to.node}.${to.port}` === target,
  );
}

function feeds(document: PipelineDocument, node: string, target: string): boolean {
  return document.links.some(
    ({ from, to }) => from.node === node && `${to.node}.${to.port}` === target,
  );
}

function compares(
  value: JsonValue,
  { comparison, value: wanted }: Pick<ParameterCheck, "comparison" | "value">,
): boolean {
  switch (comparison) {
    case "is":
      return value === wanted;
    case "is not":
      return value !== wanted;
    case "at least":
      return typeof value === "number" && value >= Number(wanted);
    case "at most":
      return typeof value === "number" && value <= Number(wanted);
    case "begins with":
      return typeof value === "string" && textsOf(wanted).some((text) => value.startsWith(text));
  }
}

function textsOf(wanted: ParameterCheck["value"]): readonly string[] {
  return typeof wanted === "object" ? wanted : [String(wanted)];
}
