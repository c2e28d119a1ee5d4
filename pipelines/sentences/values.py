"""Messages about parameter values and the data and weights that they refer to."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_PARAMETER = Sentence("no_parameter", "{module} has no parameter {name!r}.", "{help}")
EMPTY = Sentence("empty", "{title} is empty.", "Enter a value.")
EMPTY_WITH_DEFAULT = Sentence(
    "empty_with_default", "{title} is empty.", "Enter a value or reset it."
)
NO_CHOICE = Sentence("no_choice", "{title} cannot be {given}.", "Choose one of {choices}.")
OUT_OF_RANGE = Sentence(
    "out_of_range", "{title} cannot be {given}.", "Enter a value that is {bound}."
)
OUT_OF_TWO_BOUNDS = Sentence(
    "out_of_two_bounds", "{title} cannot be {given}.", "Enter a value that is {lower} and {upper}."
)
TOO_LONG = Sentence(
    "text_too_long",
    "{title} has {count} characters, but at most {most} are allowed.",
    "Shorten it.",
)
WRONG_TYPE = Sentence("wrong_type", "{title} cannot be {given}.", "Enter {wanted}.")
NOT_PARSED = Sentence(
    "not_parsed", "{title} cannot be {given}: {fault}.", "Enter a value of the correct type."
)
NOT_VALID = Sentence("not_valid", "{title} cannot be {given}: {fault}.", "Enter another value.")
NOT_ACCEPTED = Sentence(
    "not_accepted", "Invalid value of {title}: {fault}.", "Enter another value."
)
CHECK_BROKEN = Sentence(
    "check_broken",
    "{module} failed to check its parameters: {error}",
    "Fix the module's code or choose other values.",
)
NOT_FORESEEN = Sentence(
    "not_foreseen",
    "The output of {module} cannot be estimated: {error}",
    "Run the node to see its output.",
)

GREATER_THAN = Sentence("greater_than", "greater than {end}")
AT_LEAST = Sentence("at_least", "at least {end}")
LESS_THAN = Sentence("less_than", "less than {end}")
AT_MOST = Sentence("at_most", "at most {end}")
"""Bounds: ``bound``, ``lower`` and ``upper`` of other sentences."""

WHOLE_NUMBER = Sentence("whole_number", "a whole number")
NUMBER = Sentence("number", "a number")
TRUE_OR_FALSE = Sentence("true_or_false", "true or false")
TEXT = Sentence("text", "text")
LIST = Sentence("list", "a list")
OBJECT = Sentence("object", "an object")
"""Types of values: ``wanted`` of other sentences."""

WEIGHTS_NOT_CACHED = Sentence(
    "weights_not_cached",
    "The pretrained weights {file} are not in {folder}. A run downloads about {megabytes:,} "
    "MB, which fails without a network.",
    "Allow the download, copy the file to this folder, or start with random weights.",
)
AUGMENTATION_LEFT_OUT = Sentence(
    "augmentation_left_out",
    "{training} trains on these images without {names}, because the mode For inference "
    "skips random operations.",
    "Set Mode to For training. Validation and scoring skip them in every mode.",
)
AUGMENTATION_LEFT_OUT_OF_BOTH = Sentence(
    "augmentation_left_out_of_both",
    "{training} trains on these images without {names}, because the mode For inference "
    "skips random operations.",
    "Set Mode to For training. Validation on these images stays correct, because validation "
    "and scoring skip random operations in every mode.",
)
