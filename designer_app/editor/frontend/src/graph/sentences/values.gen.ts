// Made by `python -m designer_app.api.typescript` from the tables of Python: do not edit.
import type { Sentence } from "./sentence";

export const NO_PARAMETER: Sentence<"module" | "name" | "help"> = [
  "no_parameter",
  "{module} has no parameter {name!r}.",
  "{help}",
];
export const EMPTY: Sentence<"title"> = ["empty", "{title} is empty.", "Enter a value."];
export const EMPTY_WITH_DEFAULT: Sentence<"title"> = [
  "empty_with_default",
  "{title} is empty.",
  "Enter a value or reset it.",
];
export const NO_CHOICE: Sentence<"title" | "given" | "choices"> = [
  "no_choice",
  "{title} cannot be {given}.",
  "Choose one of {choices}.",
];
export const OUT_OF_RANGE: Sentence<"title" | "given" | "bound"> = [
  "out_of_range",
  "{title} cannot be {given}.",
  "Enter a value that is {bound}.",
];
export const OUT_OF_TWO_BOUNDS: Sentence<"title" | "given" | "lower" | "upper"> = [
  "out_of_two_bounds",
  "{title} cannot be {given}.",
  "Enter a value that is {lower} and {upper}.",
];
export const TOO_LONG: Sentence<"title" | "count" | "most"> = [
  "text_too_long",
  "{title} has {count} characters, but at most {most} are allowed.",
  "Shorten it.",
];
export const WRONG_TYPE: Sentence<"title" | "given" | "wanted"> = [
  "wrong_type",
  "{title} cannot be {given}.",
  "Enter {wanted}.",
];
export const GREATER_THAN: Sentence<"end"> = ["greater_than", "greater than {end}"];
export const AT_LEAST: Sentence<"end"> = ["at_least", "at least {end}"];
export const LESS_THAN: Sentence<"end"> = ["less_than", "less than {end}"];
export const AT_MOST: Sentence<"end"> = ["at_most", "at most {end}"];
export const WHOLE_NUMBER: Sentence<never> = ["whole_number", "a whole number"];
export const NUMBER: Sentence<never> = ["number", "a number"];
export const TRUE_OR_FALSE: Sentence<never> = ["true_or_false", "true or false"];
export const TEXT: Sentence<never> = ["text", "text"];
export const LIST: Sentence<never> = ["list", "a list"];
export const OBJECT: Sentence<never> = ["object", "an object"];
