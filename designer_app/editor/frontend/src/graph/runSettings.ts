/** What is wrong with where and how nodes are to run: as `pipelines/validation/run_settings.py`. */

import {
  LAUNCHER_MISMATCH,
  NODE_COUNT_TOO_LARGE,
  NOT_DISTRIBUTED,
  NOT_LAUNCHING,
  PROCESS_COUNT_TOO_LARGE,
  RESERVED_VARIABLE,
  type Place,
  UNKNOWN_COMPUTE_TARGET,
  didYouMean,
  problemOf,
} from "./problems";
import * as say from "./sentences/checks.gen";
import { about } from "./sentences/sentence";
import type { ComputeTarget, ModuleSpec, PipelineDocument, PipelineNode, Problem } from "./types";

/** What only modules have a use for that start processes themselves. */
const LAUNCH_SETTINGS = ["environment", "launcher", "parameter_server_count"] as const;
const ONE_PROCESS = { node_count: 1, process_count_per_node: 1 };
const RESERVED: ReadonlySet<string> = new Set([
  ...["RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "NODE_RANK", "GROUP_RANK"],
  ...["MASTER_ADDR", "MASTER_PORT", "TF_CONFIG", "CUDA_VISIBLE_DEVICES"],
  ...["PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LD_PRELOAD", "LD_LIBRARY_PATH"],
]);
/** Which of them a node may choose whose module starts a script. */
export const CHOSEN_PORT = "MASTER_PORT";
const RESERVED_BEGINNINGS = /^(AZ_BATCH|DESIGNER_|OMPI_|PMI_|PMIX_|SLURM_|TORCHELASTIC_)/;

/** All that cannot be had; without targets, settings are not compared with what they offer. */
export function runSettingProblems(
  node: PipelineNode,
  module: ModuleSpec,
  document: PipelineDocument,
  targets?: readonly ComputeTarget[],
): readonly Problem[] {
  const found = [
    ...processProblems(node, module),
    ...launchProblems(node, module),
    ...variableProblems(node, module),
  ];
  if (!targets) return found;
  const name = node.run_settings.target ?? document.settings.target;
  const offer = targets.find((each) => each.name === name);
  if (!offer && node.run_settings.target) found.push(unknownTarget(name, targets, node.id));
  else if (offer && (module.distributed || module.launches)) {
    found.push(...exceededOffers(node, offer));
  }
  return found;
}

/** True for an environment variable that the designer, a launcher or a scheduler sets. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name) || RESERVED_BEGINNINGS.test(name);
}

export function unknownTarget(
  name: string,
  targets: readonly ComputeTarget[],
  node?: string,
): Problem {
  const help = didYouMean(
    name,
    targets.map((each) => each.name),
  );
  const place = node === undefined ? { parameter: "target" } : { node, parameter: "target" };
  const said = about(say.NO_COMPUTE_TARGET, { target: name, help });
  return problemOf(UNKNOWN_COMPUTE_TARGET, said, place);
}

function processProblems(node: PipelineNode, module: ModuleSpec): readonly Problem[] {
  const settings = node.run_settings;
  if (settings.node_count === 1 && settings.process_count_per_node === 1) return [];
  const parameter = settings.node_count > 1 ? "node_count" : "process_count_per_node";
  const place = { node: node.id, parameter, remedy: { run_settings: ONE_PROCESS } };
  if (!module.distributed && !module.launches) {
    const said = about(say.ONE_PROCESS, { module: module.title });
    return [problemOf(NOT_DISTRIBUTED, said, place)];
  }
  if (!module.launches || settings.launcher !== "none") return [];
  return [problemOf(LAUNCHER_MISMATCH, about(say.ONE_PROCESS_LAUNCHED, {}), place)];
}

function launchProblems(node: PipelineNode, module: ModuleSpec): readonly Problem[] {
  const settings = node.run_settings;
  if (!module.launches) {
    const useless = LAUNCH_SETTINGS.filter(
      (name) => settings[name] && !(module.takes_environment && name === "environment"),
    );
    return useless.map((name) => {
      const facts = { module: module.title, setting: name.replaceAll("_", " ") };
      return problemOf(NOT_LAUNCHING, about(say.NOT_LAUNCHING, facts), clearing(node, name));
    });
  }
  if (!settings.parameter_server_count || settings.launcher === "tensorflow") return [];
  const place = clearing(node, "parameter_server_count");
  return [problemOf(LAUNCHER_MISMATCH, about(say.PARAMETER_SERVERS, {}), place)];
}

function clearing(node: PipelineNode, parameter: string): Place {
  return { node: node.id, parameter, remedy: { clear: parameter } };
}

function variableProblems(node: PipelineNode, module: ModuleSpec): readonly Problem[] {
  const names = Object.keys(node.run_settings.variables ?? {}).filter(
    (name) => isReserved(name) && !(name === CHOSEN_PORT && module.launches),
  );
  if (names.length === 0) return [];
  const place = { node: node.id, parameter: "variables" };
  return [problemOf(RESERVED_VARIABLE, about(say.RESERVED_VARIABLES, { names }), place)];
}

function exceededOffers(node: PipelineNode, offer: ComputeTarget): readonly Problem[] {
  const { node_count: nodes, process_count_per_node: processes } = node.run_settings;
  const found: Problem[] = [];
  if (nodes > offer.max_nodes) {
    const facts = { count: nodes, target: offer.name, most: offer.max_nodes };
    const place = setting(node, "node_count", offer.max_nodes);
    found.push(problemOf(NODE_COUNT_TOO_LARGE, about(say.TOO_MANY_NODES, facts), place));
  }
  if (processes > offer.processes_per_node) {
    const facts = { count: processes, target: offer.name, most: offer.processes_per_node };
    const place = setting(node, "process_count_per_node", offer.processes_per_node);
    found.push(problemOf(PROCESS_COUNT_TOO_LARGE, about(say.TOO_MANY_PROCESSES, facts), place));
  }
  return found;
}

function setting(node: PipelineNode, parameter: string, value: number): Place {
  return { node: node.id, parameter, remedy: { run_settings: { [parameter]: value } } };
}
