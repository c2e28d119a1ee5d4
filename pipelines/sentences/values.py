"""Messages about parameter values and the data and weights that they refer to."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

NO_PARAMETER = Sentence("{module} has no parameter {name!r}.", "{help}")
EMPTY = Sentence("{title} is empty.", "Enter a value.")
EMPTY_WITH_DEFAULT = Sentence("{title} is empty.", "Enter a value or reset it.")
NO_CHOICE = Sentence("{title} cannot be {given}.", "Choose one of {choices}.")
OUT_OF_RANGE = Sentence("{title} cannot be {given}.", "Enter a value that is {bound}.")
OUT_OF_TWO_BOUNDS = Sentence(
    "{title} cannot be {given}.", "Enter a value that is {lower} and {upper}."
)
TOO_LONG = Sentence(
    "{title} has {count} characters, but at most {most} are allowed.",
    "Shorten it.",
    key="text_too_long",
)
WRONG_TYPE = Sentence("{title} cannot be {given}.", "Enter {wanted}.")
NOT_PARSED = Sentence("{title} cannot be {given}: {fault}.", "Enter a value of the correct type.")
NOT_VALID = Sentence("{title} cannot be {given}: {fault}.", "Enter another value.")
NOT_ACCEPTED = Sentence("Invalid value of {title}: {fault}.", "Enter another value.")
CHECK_BROKEN = Sentence(
    "{module} failed to check its parameters: {error}",
    "Fix the module's code or choose other values.",
)
NOT_FORESEEN = Sentence(
    "The output of {module} cannot be estimated: {error}", "Run the node to see its output."
)

GREATER_THAN = Sentence("greater than {end}")
AT_LEAST = Sentence("at least {end}")
LESS_THAN = Sentence("less than {end}")
AT_MOST = Sentence("at most {end}")
"""Bounds: ``bound``, ``lower`` and ``upper`` of other sentences."""

WHOLE_NUMBER = Sentence("a whole number")
NUMBER = Sentence("a number")
TRUE_OR_FALSE = Sentence("true or false")
TEXT = Sentence("text")
LIST = Sentence("a list")
OBJECT = Sentence("an object")
"""Types of values: ``wanted`` of other sentences."""

WEIGHTS_NOT_CACHED = Sentence(
    "The pretrained weights {file} are not in {folder}. A run downloads about {megabytes:,} "
    "MB, which fails without a network.",
    "Allow the download, copy the file to this folder, or use EfficientNet-Lite0 (included).",
)
WEIGHTS_NOT_AVAILABLE = Sentence(
    "The pretrained weights {file} ({megabytes:,} MB) are not in {folder}, and this machine is "
    "offline.",
    "Use EfficientNet-Lite0 (included), copy the file to this folder, or connect to the network.",
)
AUGMENTATION_LEFT_OUT = Sentence(
    "{training} trains on these images without {names}, because the mode For inference "
    "skips random operations.",
    "Set Mode to For training. Validation and scoring skip them in every mode.",
)
AUGMENTATION_LEFT_OUT_OF_BOTH = Sentence(
    "{training} trains on these images without {names}, because the mode For inference "
    "skips random operations.",
    "Set Mode to For training. Validation on these images stays correct, because validation "
    "and scoring skip random operations in every mode.",
)

name_sentences(globals())
