// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const PART_TOO_DEEP: Sentence<"place" | "most"> = [
  "part_too_deep",
  "{place} is nested deeper than {most} levels.",
  "Correct or remove the value.",
];
export const PART_TOO_LARGE: Sentence<"place"> = [
  "part_too_large",
  "{place} exceeds 2^53, the largest whole number that browsers do not round.",
  "Correct or remove the value.",
];
export const PART_NOT_FINITE: Sentence<"place"> = [
  "part_not_finite",
  "{place} must be a finite number.",
  "Correct or remove the value.",
];
export const PART_NOT_UNICODE: Sentence<"place"> = [
  "part_not_unicode",
  "{place} contains an incomplete Unicode character.",
  "Correct or remove the value.",
];
export const PART_MISSING: Sentence<"place"> = ["part_missing", "{place} is missing.", "Add it."];
export const PART_UNKNOWN: Sentence<"place"> = [
  "part_unknown",
  "{place} is not part of the format.",
  "Remove it.",
];
export const PART_TEXT: Sentence<"place"> = [
  "part_text",
  "{place} must be text.",
  "Enclose it in quotation marks.",
];
export const PART_WHOLE: Sentence<"place"> = [
  "part_whole",
  "{place} must be a whole number.",
  "Enter a whole number.",
];
export const PART_NUMBER: Sentence<"place"> = [
  "part_number",
  "{place} must be a number.",
  "Enter a number.",
];
export const PART_BOOLEAN: Sentence<"place"> = [
  "part_boolean",
  "{place} must be true or false.",
  "Enter true or false.",
];
export const PART_OBJECT: Sentence<"place"> = [
  "part_object",
  "{place} must be an object.",
  "Enclose it in braces.",
];
export const PART_LIST: Sentence<"place"> = [
  "part_list",
  "{place} must be a list.",
  "Enclose it in square brackets.",
];
export const PART_GREATER: Sentence<"place" | "bound"> = [
  "part_greater",
  "{place} must be greater than {bound}.",
  "Enter a larger number.",
];
export const PART_AT_LEAST: Sentence<"place" | "bound"> = [
  "part_at_least",
  "{place} must be at least {bound}.",
  "Enter a larger number.",
];
export const PART_AT_MOST: Sentence<"place" | "bound"> = [
  "part_at_most",
  "{place} must be at most {bound}.",
  "Enter a smaller number.",
];
export const PART_TOO_LONG: Sentence<"place" | "bound"> = [
  "part_too_long",
  "{place} has more than {bound} characters.",
  "Shorten it.",
];
export const PART_TOO_MANY: Sentence<"place" | "bound"> = [
  "part_too_many",
  "{place} has more than {bound} entries.",
  "Remove some.",
];
export const PART_NO_ID: Sentence<"place"> = [
  "part_no_id",
  "{place} is not a valid id.",
  "Use up to 64 lowercase letters, digits, _ and -. Start with a letter or digit.",
];
export const PART_NO_BIND: Sentence<"place"> = [
  "part_no_bind",
  "{place} is not a parameter of a node.",
  "Enter NODE.PARAMETER for a node of the same pipeline, or NODE/INNER.PARAMETER for a node in a sub-pipeline.",
];
export const PART_WRONG: Sentence<"place" | "fault"> = [
  "part_wrong",
  "{place} is invalid: {fault}.",
  "Correct the value.",
];
export const THE_DOCUMENT: Sentence<never> = ["the_document", "The document"];
