/**
 * Training that a search of a node repeats: the part of the pipeline that each of its trials runs.
 *
 * The search owns no nodes: the result is a document to look at, or to continue with.
 */

import type { Catalog } from "./catalog";
import { extract, standalone } from "./copies";
import { valueOf } from "./parameters";
import { localName } from "./paths";
import { parseSpace } from "./spaces";
import { titleOf } from "./search";
import { upstream } from "./traversal";
import { triedParameters } from "./triedParameters";
import { t } from "./translate";
import type { JsonValue, ModuleSpec, PipelineDocument, PipelineNode } from "./types";
import type { SweepPruning, SweepSettings, SweepSpace } from "./types.gen";

/** Module that every trial runs, with other values. */
const TRAINING = "train_pytorch_model";
/** Metrics of a training, by the choice of the search. */
const METRICS: Readonly<Record<string, string>> = {
  accuracy: "Top-1 validation accuracy",
  loss: "Valid loss",
};

/** Return the module that the trials of a node run; undefined if the node is not a search. */
export function trainingOf(
  module: ModuleSpec | undefined,
  catalog: Catalog,
): ModuleSpec | undefined {
  return module?.parameters.some(({ tries }) => tries) ? catalog.byId.get(TRAINING) : undefined;
}

/** Return the spaces of a search by parameter of the training; incomplete lines are left out. */
export function triedSpaces(
  node: PipelineNode,
  module: ModuleSpec | undefined,
  training: ModuleSpec,
): ReadonlyMap<string, SweepSpace> {
  const spaces = new Map<string, SweepSpace>();
  for (const { id, space } of triedParameters(module, node)) {
    const parameter = training.parameters.find((parameter) => parameter.id === id);
    const parsed = parameter && parseSpace(space, parameter);
    if (parsed) spaces.set(id, parsed);
  }
  return spaces;
}

/**
 * Return what leads to a search, and a training in place of it, whose settings try the same values.
 *
 * Null if the node is not a search.
 */
export function ownTraining(
  document: PipelineDocument,
  catalog: Catalog,
  id: string,
): PipelineDocument | null {
  const node = document.nodes.find((node) => node.id === id);
  const module = node && catalog.byId.get(node.module);
  const training = trainingOf(module, catalog);
  if (!node || !module || !training) return null;
  const known = new Set(training.parameters.map((parameter) => parameter.id));
  const own = Object.entries(node.parameters).filter(([name]) => known.has(name));
  const parameters = Object.fromEntries(own);
  const replaced = { ...node, module: TRAINING, title: null, parameters };
  const part = extract(document, [...upstream(document, [id]), id]);
  const named = t("{title}: training", { title: titleOf(node, catalog) });
  const isKnown = (bind: string): boolean =>
    !bind.startsWith(`${id}.`) || known.has(bind.slice(id.length + 1));
  return standalone({
    ...part,
    name: named.slice(0, 200),
    nodes: part.nodes.map((other) => (other.id === id ? replaced : other)),
    parameters: (part.parameters ?? [])
      .map((parameter) => ({ ...parameter, binds: parameter.binds.filter(isKnown) }))
      .filter((parameter) => parameter.binds.length > 0),
    settings: { ...part.settings, sweep: sweepOf(node, module, training) },
  });
}

/** Return the settings of a sweep that tries the values of a search. */
function sweepOf(node: PipelineNode, module: ModuleSpec, training: ModuleSpec): SweepSettings {
  const id = localName(node.id);
  const value = (name: string): JsonValue => {
    const parameter = module.parameters.find((parameter) => parameter.id === name);
    return parameter ? valueOf(parameter, node) : null;
  };
  const number = (name: string, usual: number): number => {
    const own = value(name);
    return typeof own === "number" ? own : usual;
  };
  const spaces = [...triedSpaces(node, module, training)];
  const strategy = value("strategy") as SweepSettings["strategy"];
  const metric = String(value("metric"));
  const kind = String(value("stop_early"));
  return {
    parameters: Object.fromEntries(spaces.map(([name, space]) => [`${id}.${name}`, space])),
    objective: {
      node: id,
      metric: METRICS[metric] ?? metric,
      goal: metric === "loss" ? "minimize" : "maximize",
    },
    strategy,
    max_trials: strategy === "grid" ? null : number("trials", 10),
    max_minutes: number("search_time_limit", 0),
    parallel: 1,
    seed: number("search_seed", 0),
    pruning:
      kind === "off" || kind === "null"
        ? null
        : {
            kind: kind as SweepPruning["kind"],
            first_epoch: number("first_compared_epoch", 1),
            factor: number("halving_factor", 3),
            slack: number("slack", 0.1),
          },
  };
}
