// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NOTHING_CHOSEN: Sentence<never> = [
  "nothing_chosen",
  "No node is chosen.",
  "Choose the nodes that become one.",
];
export const NO_SUB_PIPELINE: Sentence<"node"> = [
  "no_sub_pipeline",
  "{node} stands for no sub-pipeline.",
  "Choose one that does.",
];
export const HOLDS_ITSELF: Sentence<never> = [
  "holds_itself",
  "A sub-pipeline cannot hold itself.",
  "Place it beside the nodes that stand for it.",
];
export const LIES_BETWEEN: Sentence<"node"> = [
  "lies_between",
  "{node} lies between the chosen nodes.",
  "Choose it, too, or fewer of them.",
];
export const NAMED_INSIDE: Sentence<"node" | "name" | "place"> = [
  "named_inside",
  "A script inside {node} takes {name} by name, and would find it no more.",
  "Write the value in place of {place} in its arguments, then unpack.",
];
