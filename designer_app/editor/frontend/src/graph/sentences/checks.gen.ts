// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NO_MODULE_OF_NODE: Sentence<"module" | "help"> = [
  "no_module_of_node",
  "There is no module {module!r}.",
  "Install it, or replace the node. {help}",
];
export const OLDER_VERSION: Sentence<"version" | "module" | "installed"> = [
  "older_version",
  "The node was made with version {version} of {module}; version {installed} is installed.",
  "Upgrade the node, then look over its parameters.",
];
export const NEWER_VERSION: Sentence<"version" | "module" | "installed"> = [
  "newer_version",
  "The node was made with version {version} of {module}; version {installed} is installed.",
  "Update the package the module comes from.",
];
export const NOTHING_TO_RUN: Sentence<never> = [
  "nothing_to_run",
  "There is no node to run.",
  "Add a module from the palette, or enable one.",
];
export const NOT_CONNECTED: Sentence<"input" | "type"> = [
  "not_connected",
  "The input {input} is not connected.",
  "Connect an output that gives {type}.",
];
export const GETS_NOTHING: Sentence<"input" | "source"> = [
  "gets_nothing",
  "The input {input} gets nothing: {source} is disabled and hands nothing on.",
  "Enable {source}, or connect another output.",
];
export const TWO_LINKS: Sentence<"input" | "source"> = [
  "two_links",
  "Two wires end at the input {input}.",
  "Remove one of them; this one comes from {source}.",
];
export const LINK_FROM_NO_NODE: Sentence<"to" | "name"> = [
  "link_from_no_node",
  "A wire to {to} comes from a node {name!r} that is not there.",
  "Remove the wire.",
];
export const LINK_TO_NO_NODE: Sentence<"source" | "name"> = [
  "link_to_no_node",
  "A wire from {source} leads to a node {name!r} that is not there.",
  "Remove the wire.",
];
export const LINK_NO_OUTPUT: Sentence<"module" | "name" | "help"> = [
  "link_no_output",
  "{module} has no output {name!r}.",
  "{help} Or remove the wire.",
];
export const LINK_NO_INPUT: Sentence<"module" | "name" | "help"> = [
  "link_no_input",
  "{module} has no input {name!r}.",
  "{help} Or remove the wire.",
];
export const CIRCLE: Sentence<"way"> = [
  "circle",
  "The wires run in a circle: {way}.",
  "Remove one of these wires.",
];
export const NO_COMPUTE_TARGET: Sentence<"target" | "help"> = [
  "no_compute_target",
  "There is no compute target {target!r}.",
  "{help}",
];
export const ONE_PROCESS: Sentence<"module"> = [
  "one_process",
  "{module} runs in one process.",
  "Set node count and process count per node to 1.",
];
export const ONE_PROCESS_LAUNCHED: Sentence<never> = [
  "one_process_launched",
  "The launcher 'none' starts one process.",
  "Set node count and process count per node to 1, or choose another launcher.",
];
export const NOT_LAUNCHING: Sentence<"module" | "setting"> = [
  "not_launching",
  "{module} starts no processes of its own: its {setting} does nothing.",
  "Clear it, or set it at a node that does, such as Run Training Script.",
];
export const PARAMETER_SERVERS: Sentence<never> = [
  "parameter_servers",
  "Parameter servers belong to the launcher 'tensorflow'.",
  "Clear their count, or choose that launcher.",
];
export const RESERVED_VARIABLES: Sentence<"names"> = [
  "reserved_variables",
  "The designer itself sets {names} for every process.",
  "Remove it from the environment variables, or give it another name.",
];
export const TOO_MANY_NODES: Sentence<"count" | "target" | "most"> = [
  "too_many_nodes",
  "Node count is {count}; compute target {target!r} has at most {most} {most:machine|machines}.",
  "Set node count to at most {most}, or use another compute target.",
];
export const TOO_MANY_PROCESSES: Sentence<"count" | "target" | "most"> = [
  "too_many_processes",
  "Process count per node is {count}; a machine of compute target {target!r} has {most} {most:processing unit|processing units}.",
  "Set process count per node to at most {most}, or use another compute target.",
];
