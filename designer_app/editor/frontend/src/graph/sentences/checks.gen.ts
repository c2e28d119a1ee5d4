// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NO_MODULE_OF_NODE: Sentence<"module" | "help"> = [
  "no_module_of_node",
  "Module {module!r} not found.",
  "Install it or replace the node. {help}",
];
export const OLDER_VERSION: Sentence<"version" | "module" | "installed"> = [
  "older_version",
  "This node uses version {version} of {module}, but version {installed} is installed.",
  "Upgrade the node, then review its parameters.",
];
export const NEWER_VERSION: Sentence<"version" | "module" | "installed"> = [
  "newer_version",
  "This node needs version {version} of {module}, but only version {installed} is installed.",
  "Update the package that contains the module.",
];
export const NOTHING_TO_RUN: Sentence<never> = [
  "nothing_to_run",
  "The pipeline has no enabled nodes.",
  "Add a module from the palette or enable a node.",
];
export const NOT_CONNECTED: Sentence<"input" | "type"> = [
  "not_connected",
  'Input "{input}" is not connected.',
  "Connect an output that produces {type}.",
];
export const GETS_NOTHING: Sentence<"input" | "source"> = [
  "gets_nothing",
  'Input "{input}" receives no data: {source} is disabled and produces no output.',
  "Enable {source} or connect another output.",
];
export const TWO_LINKS: Sentence<"input" | "source"> = [
  "two_links",
  'Input "{input}" has two wires.',
  "Remove one of them. This one starts at {source}.",
];
export const LINK_FROM_NO_NODE: Sentence<"to" | "name"> = [
  "link_from_no_node",
  "A wire to {to} starts at node {name!r}, which was not found.",
  "Remove the wire.",
];
export const LINK_TO_NO_NODE: Sentence<"source" | "name"> = [
  "link_to_no_node",
  "A wire from {source} ends at node {name!r}, which was not found.",
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
  "The wires form a cycle: {way}.",
  "Remove one of these wires.",
];
export const NO_COMPUTE_TARGET: Sentence<"target" | "help"> = [
  "no_compute_target",
  "Compute target {target!r} not found.",
  "{help}",
];
export const ONE_PROCESS: Sentence<"module"> = [
  "one_process",
  "{module} supports only one process.",
  "Set node count and process count per node to 1.",
];
export const ONE_PROCESS_LAUNCHED: Sentence<never> = [
  "one_process_launched",
  "The launcher 'none' supports only one process.",
  "Set node count and process count per node to 1, or choose another launcher.",
];
export const NOT_LAUNCHING: Sentence<"module" | "setting"> = [
  "not_launching",
  "{module} does not start processes, so its {setting} has no effect.",
  "Clear it, or set it on a node that starts processes, such as Run Training Script.",
];
export const PARAMETER_SERVERS: Sentence<never> = [
  "parameter_servers",
  "Parameter servers require the launcher 'tensorflow'.",
  "Clear their count or choose that launcher.",
];
export const RESERVED_VARIABLES: Sentence<"names"> = [
  "reserved_variables",
  "The designer sets {names} for every process.",
  "Remove it from the environment variables or rename it.",
];
export const TOO_MANY_NODES: Sentence<"count" | "target" | "most"> = [
  "too_many_nodes",
  "Node count is {count}, but compute target {target!r} has at most {most} {most:machine|machines}.",
  "Set node count to at most {most} or choose another compute target.",
];
export const TOO_MANY_PROCESSES: Sentence<"count" | "target" | "most"> = [
  "too_many_processes",
  "Process count per node is {count}, but machines of compute target {target!r} have {most} {most:processing unit|processing units}.",
  "Set process count per node to at most {most} or choose another compute target.",
];
