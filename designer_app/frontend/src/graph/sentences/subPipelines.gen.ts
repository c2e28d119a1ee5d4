// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NOTHING_CHOSEN: Sentence<never> = [
  "nothing_chosen",
  "No nodes are selected.",
  "Select the nodes of the new sub-pipeline.",
];
export const NO_SUB_PIPELINE: Sentence<"node"> = [
  "no_sub_pipeline",
  "{node} is not a sub-pipeline.",
  "Select a sub-pipeline.",
];
export const HOLDS_ITSELF: Sentence<never> = [
  "holds_itself",
  "A sub-pipeline cannot contain itself.",
  "Place it outside the sub-pipeline.",
];
export const LIES_BETWEEN: Sentence<"node"> = [
  "lies_between",
  "{node} is between the selected nodes.",
  "Select it too, or select fewer nodes.",
];
export const NAMED_INSIDE: Sentence<"node" | "name" | "place"> = [
  "named_inside",
  "A script in {node} uses the parameter {name}, which would not exist after unpacking.",
  "Replace {place} in the script's arguments with its value, then unpack.",
];
