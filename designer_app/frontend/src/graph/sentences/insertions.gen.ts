// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const PORT_OF: Sentence<"node" | "port"> = ["port_of", "{node}'s {port}"];
export const NO_LINK_ENDS: Sentence<"to"> = [
  "no_link_ends",
  "Input {to} has no wire.",
  "Choose an input that has one.",
];
export const NO_BRIDGE: Sentence<"source" | "to"> = [
  "no_bridge",
  "No single module can connect {source} to {to}.",
  "Connect another output.",
];
export const DOES_NOT_FIT_BETWEEN: Sentence<"module" | "source" | "to"> = [
  "does_not_fit_between",
  "{module} cannot be inserted between {source} and {to}.",
  "Choose another module.",
];
export const NONE_FITS_ON_LINK: Sentence<"to"> = [
  "none_fits_on_link",
  "None of the modules can be inserted into the wire to {to}.",
  "Choose another module.",
];
