// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NO_NODE: Sentence<"name" | "help"> = ["no_node", "Node {name!r} not found.", "{help}"];
export const NO_MODULE: Sentence<"module" | "help"> = [
  "no_module",
  "Module {module!r} not found.",
  "{help}",
];
export const NO_PART_DRAWN: Sentence<"what" | "name"> = [
  "no_part_drawn",
  "The {what} {name!r} was not found.",
  "Choose an item on the canvas.",
];
export const DID_YOU_MEAN: Sentence<"near"> = ["name_meant", "Did you mean {near!r}?"];
export const CHOOSE_ONE: Sentence<"names"> = ["choose_one", "Choose one of {names}."];
export const THERE_IS_NONE: Sentence<never> = ["there_is_none", "None are available: remove it."];
export const NO_NODE_DRAWN: Sentence<"name"> = [
  "no_node_drawn",
  "Node {name!r} not found.",
  "Choose a node on the canvas.",
];
export const MODULE_NOT_INSTALLED: Sentence<"module"> = [
  "module_not_installed",
  "Module {module!r} is not installed.",
  "Install it or replace the node.",
];
export const NO_OUTPUT_OF_MODULE: Sentence<"module" | "name"> = [
  "no_output_of_module",
  "{module} has no output {name!r}.",
  "Choose one of its outputs.",
];
export const NO_INPUT_OF_MODULE: Sentence<"module" | "name"> = [
  "no_input_of_module",
  "{module} has no input {name!r}.",
  "Choose one of its inputs.",
];
export const FEEDS_ITSELF: Sentence<never> = [
  "feeds_itself",
  "A node cannot be connected to itself.",
  "Connect the output of another node.",
];
export const CONNECTED_ALREADY: Sentence<never> = [
  "connected_already",
  "These ports are already connected.",
  "Choose another input.",
];
export const WOULD_CLOSE_CIRCLE: Sentence<"source" | "target"> = [
  "would_close_circle",
  "This connection would create a cycle: {source} depends on {target}.",
  "Connect an output that does not depend on it.",
];
export const BRIDGED_TYPES: Sentence<"target" | "needed" | "source" | "given" | "bridge"> = [
  "bridged_types",
  "{target} needs {needed}, but {source} produces {given}.",
  "Add {bridge} between them.",
];
export const OTHER_OUTPUT_FITS: Sentence<"target" | "needed" | "source" | "given" | "makers"> = [
  "other_output_fits",
  "{target} needs {needed}, but {source} produces {given}.",
  "Connect an output of {makers}.",
];
export const NOTHING_FITS: Sentence<"target" | "needed" | "source" | "given"> = [
  "nothing_fits",
  "{target} needs {needed}, but {source} produces {given}.",
  "Install a module that produces {needed}.",
];
export const A_TYPE: Sentence<"type"> = ["a_type", "a {type}"];
export const AN_TYPE: Sentence<"type"> = ["an_type", "an {type}"];
