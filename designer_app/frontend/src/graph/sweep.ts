/** The sweep of a pipeline: values to try for parameters, and what is compared. */

import { halves } from "./binds";
import { type Catalog, runsInProcesses } from "./catalog";
import { outermost } from "./paths";
import { specAt } from "./pipelineParameters";
import { pathTitle } from "./places";
import { choices } from "./spaces";
import { t } from "./translate";
import { downstream } from "./traversal";
import type { ComputeTarget, JsonValue, ParameterSpec, PipelineDocument } from "./types";
import type { SweepObjective, SweepSettings, SweepSpace } from "./types.gen";

/** Trials of a sweep over ranges if their number is not set. */
export const DEFAULT_TRIALS = 20;

const NEW_SWEEP: SweepSettings = {
  parameters: {},
  strategy: "auto",
  max_trials: null,
  max_minutes: 0,
  parallel: 1,
  seed: 0,
};

/** Return the values to try for a parameter; undefined if it is not varied. */
export function spaceOf(document: PipelineDocument, place: string): SweepSpace | undefined {
  return document.settings.sweep?.parameters[place];
}

/** Return the titles of a node's varied parameters, separated by commas; empty if there are none. */
export function sweptTitles(document: PipelineDocument, catalog: Catalog, node: string): string {
  return Object.keys(document.settings.sweep?.parameters ?? {})
    .filter((place) => halves(place)[0] === node)
    .map((place) => settingTitle(document, catalog, place))
    .join(", ");
}

/** "Train PyTorch Model, Learning rate": title of `train.learning_rate`. */
export function placeTitle(whole: PipelineDocument, catalog: Catalog, place: string): string {
  const node = pathTitle(whole, catalog, halves(place)[0]);
  return t("{node}, {setting}", { node, setting: settingTitle(whole, catalog, place) });
}

function settingTitle(document: PipelineDocument, catalog: Catalog, place: string): string {
  return specAt(document, catalog, place)?.title ?? halves(place)[1];
}

/** Return the document with other values to try for a parameter; null: it is not varied. */
export function withSpace(
  document: PipelineDocument,
  place: string,
  space: SweepSpace | null,
): PipelineDocument {
  const before = document.settings.sweep ?? NEW_SWEEP;
  const others = Object.entries(before.parameters).filter(([name]) => name !== place);
  const parameters: SweepSettings["parameters"] =
    space === null ? Object.fromEntries(others) : { ...before.parameters, [place]: space };
  if (Object.keys(parameters).length > 0) return withSweep(document, { ...before, parameters });
  const settings = { ...document.settings };
  delete settings.sweep;
  return { ...document, settings };
}

export function withSweep(document: PipelineDocument, sweep: SweepSettings): PipelineDocument {
  return { ...document, settings: { ...document.settings, sweep } };
}

/** Return the document with values for parameters, written as `node.parameter`. */
export function withValues(
  document: PipelineDocument,
  values: Readonly<Record<string, JsonValue>>,
): PipelineDocument {
  const nodes = document.nodes.map((node) => {
    const own = Object.entries(values)
      .filter(([place]) => place.slice(0, place.lastIndexOf(".")) === node.id)
      .map(([place, value]) => [place.slice(node.id.length + 1), value] as const);
    if (own.length === 0) return node;
    return { ...node, parameters: { ...node.parameters, ...Object.fromEntries(own) } };
  });
  return { ...document, nodes };
}

/** Return the number of trials; `isExact` is false if the strategy or the time may end it sooner. */
export function numTrials(sweep: SweepSettings): number {
  const counts = Object.values(sweep.parameters).map(numValues);
  const all = counts.reduce<number>((product, count) => product * (count ?? Infinity), 1);
  const wanted = sweep.max_trials ?? (sweep.strategy === "grid" ? all : DEFAULT_TRIALS);
  return Math.min(wanted, all);
}

/** Return the nodes that run in each trial: the varied ones and those after them. */
export function nodesOfTrials(
  document: PipelineDocument,
  sweep: SweepSettings,
): ReadonlySet<string> {
  const varied = Object.keys(sweep.parameters).map((place) => outermost(halves(place)[0]));
  return new Set([...varied, ...downstream(document, varied)]);
}

/** Return how many trials compute at the same time: those that share a GPU take turns. */
export function trialsAtOnce(
  document: PipelineDocument,
  catalog: Catalog,
  sweep: SweepSettings,
  targets: readonly ComputeTarget[],
): number {
  const most = Math.max(1, Math.min(sweep.parallel, numTrials(sweep)));
  const ofTrials = nodesOfTrials(document, sweep);
  const limits = document.nodes.map(({ id, module, run_settings: settings }) => {
    const spec = catalog.byId.get(module);
    const name = settings.target ?? document.settings.target;
    const target = targets.find((candidate) => candidate.name === name);
    const isTraining = spec !== undefined && ofTrials.has(id) && runsInProcesses(spec);
    if (!isTraining || target?.kind !== "local" || target.gpus === 0) return most;
    const used = Math.min(target.gpus, settings.node_count * settings.process_count_per_node);
    return Math.floor(target.gpus / used);
  });
  return Math.min(most, ...limits);
}

/** Return the number of values of a space; undefined for a range of real numbers. */
function numValues(space: SweepSpace): number | undefined {
  if (space.kind === "choices") return space.choices?.length ?? 0;
  if (space.kind !== "integer" || space.low === null || space.high === null) return undefined;
  return Math.max(0, Math.floor(space.high) - Math.ceil(space.low) + 1);
}

/** Return initial values: around the current one, within the bounds of the parameter. */
export function firstSpace(parameter: ParameterSpec, value: JsonValue): SweepSpace {
  if (parameter.choices) return choices(parameter.choices);
  if (parameter.type === "boolean") return choices([true, false]);
  if (typeof value !== "number") return choices([value ?? ""]);
  const [low, high] = [lowest(parameter), highest(parameter)];
  const within = (number: number): number => Math.min(high, Math.max(low, number));
  if (parameter.type === "integer") {
    const around = [Math.round(value / 2), value, value * 2].map(within);
    return choices([...new Set(around)]);
  }
  if (value <= 0 || within(value / 10) >= within(value * 10)) return choices([value]);
  const ends = [within(value / 10), within(value * 10)].map((end) => Number(end.toPrecision(12)));
  return { kind: "log", low: ends[0] ?? value, high: ends[1] ?? value };
}

function lowest({ minimum, exclusive_minimum: above }: ParameterSpec): number {
  if (minimum !== null) return minimum;
  return above === null ? -Infinity : above + Math.abs(above || 1) * 1e-6;
}

function highest({ maximum, exclusive_maximum: below }: ParameterSpec): number {
  if (maximum !== null) return maximum;
  return below === null ? Infinity : below - Math.abs(below || 1) * 1e-6;
}

/** Return the objective of `train.Valid loss`, a node and its metric; null for an incomplete text.
 *
 * Each metric has its usual goal: that of the metric before would search for the worst loss. */
export function objectiveOf(text: string): SweepObjective | null {
  const [node = "", ...rest] = text.split(".");
  const metric = rest.join(".");
  if (!node || !metric) return null;
  const goal = /\b(loss|error|seconds)\b/i.test(metric) ? "minimize" : "maximize";
  return { node, metric, goal };
}
