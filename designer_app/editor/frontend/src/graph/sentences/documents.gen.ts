// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NOT_A_DOCUMENT: Sentence<"why"> = [
  "not_a_document",
  "Not a pipeline document. {why}",
  "Open a file that was saved by Pipeline Designer.",
];
export const NOT_JSON: Sentence<"why"> = [
  "not_json",
  "Not a pipeline document: invalid JSON. {why}",
  "Open a file that was saved by Pipeline Designer, or fix the JSON.",
];
export const NO_OBJECT: Sentence<never> = ["no_object", "The content is not a JSON object."];
export const NO_FORMAT: Sentence<never> = ["no_format", "The key 'format' is missing."];
export const OTHER_FORMAT: Sentence<"written" | "current"> = [
  "other_format",
  "The format is {written!r} instead of {current!r}.",
];
export const NEWER_FORMAT: Sentence<"written" | "current"> = [
  "newer_format",
  "The document has format {written!r}, but this version supports formats up to {current!r}.",
  "Update Pipeline Designer or save the pipeline in the older format.",
];
export const SAME_ID: Sentence<"count" | "what" | "where" | "id"> = [
  "same_id",
  "{count} {what}s{where} have the id {id!r}.",
  "Use a unique id for each {what}.",
];
export const MORE_PROBLEMS: Sentence<"count"> = [
  "more_problems",
  "The document has {count:,} more {count:problem|problems}.",
  "Fix the listed problems, then validate again.",
];
export const IN_DEFINITION: Sentence<"id"> = ["in_definition", " in the definition {id!r}"];
