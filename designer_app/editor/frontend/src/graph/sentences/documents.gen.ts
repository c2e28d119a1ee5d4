// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NOT_A_DOCUMENT: Sentence<"why"> = [
  "not_a_document",
  "This is not a pipeline document. {why}",
  "Open a file that Pipeline Designer saved.",
];
export const NOT_JSON: Sentence<"why"> = [
  "not_json",
  "This is not a pipeline document: it cannot be read as JSON. {why}",
  "Open a file that Pipeline Designer saved, or correct the place.",
];
export const NO_OBJECT: Sentence<never> = ["no_object", "It holds no JSON object."];
export const NO_FORMAT: Sentence<never> = ["no_format", "It has no format."];
export const OTHER_FORMAT: Sentence<"written" | "current"> = [
  "other_format",
  "Its format is {written!r}, not {current!r}.",
];
export const NEWER_FORMAT: Sentence<"written" | "current"> = [
  "newer_format",
  "The document has the format {written!r}; this version reads up to {current!r}.",
  "Update Pipeline Designer, or save the pipeline in the older format.",
];
export const SAME_ID: Sentence<"count" | "what" | "where" | "id"> = [
  "same_id",
  "{count} {what}s{where} have the id {id!r}.",
  "Give each {what} an id of its own.",
];
export const MORE_PROBLEMS: Sentence<"count"> = [
  "more_problems",
  "The document has {count:,} more {count:problem|problems}.",
  "Fix the listed problems, then validate again.",
];
export const IN_DEFINITION: Sentence<"id"> = ["in_definition", " in the definition {id!r}"];
