"""What is said of the values of parameters, and of data and weights they name."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

NO_PARAMETER = Sentence("no_parameter", "{module} has no parameter {name!r}.", "{help}")
EMPTY = Sentence("empty", "{title} is empty.", "Give it a value.")
EMPTY_WITH_DEFAULT = Sentence(
    "empty_with_default", "{title} is empty.", "Give it a value, or reset it."
)
NO_CHOICE = Sentence("no_choice", "{title} is {given}.", "Choose one of {choices}.")
OUT_OF_RANGE = Sentence("out_of_range", "{title} is {given}.", "Set it {bound}.")
OUT_OF_TWO_BOUNDS = Sentence(
    "out_of_two_bounds", "{title} is {given}.", "Set it {lower} and {upper}."
)
TOO_LONG = Sentence(
    "text_too_long", "{title} has {count} characters, more than {most}.", "Shorten it."
)
WRONG_TYPE = Sentence("wrong_type", "{title} is {given}.", "Give it {wanted}.")
NOT_PARSED = Sentence("not_parsed", "{title} is {given}: {fault}.", "Correct its type.")
NOT_VALID = Sentence("not_valid", "{title} is {given}: {fault}.", "Correct it.")
NOT_ACCEPTED = Sentence("not_accepted", "{title}: {fault}.", "Choose other values.")
CHECK_BROKEN = Sentence(
    "check_broken",
    "{module} cannot check its parameters: {error}",
    "Correct the module's code, or choose other values.",
)
NOT_FORESEEN = Sentence(
    "not_foreseen", "{module} cannot be foreseen: {error}", "Run it to see what it gives."
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
"""Types of values: what is ``wanted``."""

WEIGHTS_NOT_CACHED = Sentence(
    "weights_not_cached",
    "Its pretrained weights, {file}, are not in {folder}: a run downloads them, about "
    "{megabytes:,} MB, and fails without a network.",
    "Let it download them, put the file there, or start from random weights.",
)
AUGMENTATION_LEFT_OUT = Sentence(
    "augmentation_left_out",
    "{training} learns from these images without {names}: in mode For inference, random "
    "operations are left out.",
    "Set Mode to For training; validation and scoring leave them out in any mode.",
)
AUGMENTATION_LEFT_OUT_OF_BOTH = Sentence(
    "augmentation_left_out_of_both",
    "{training} learns from these images without {names}: in mode For inference, random "
    "operations are left out.",
    "Set Mode to For training; validation and scoring leave them out in any mode. That is right "
    "for validating on them, too.",
)
