"""What is said of the metrics of scripts: to the user, and to clients of the tracking address."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

# to the user

CURVE_THINNED = Sentence(
    "curve_thinned",
    "{name} has more than {most:,} points: every tenth is kept from there on, later every "
    "hundredth, and the last one.",
    "Log it less often where each point counts.",
)
MODEL_NOT_REGISTERED = Sentence(
    "script_model_not_registered",
    "The script called register_model for {name!r} ({path}). The designer does not register models "
    "from scripts.",
    "Register the file from this node: designer models register {name} last --node NODE "
    "--file {path}",
)
TOO_MANY_CURVES = Sentence(
    "too_many_curves",
    "The script logs more than {most:,} metrics: {name} and all further ones are left out.",
    "Log fewer names; values of a kind belong under one name with different steps.",
)
TOO_MANY_POINTS = Sentence(
    "too_many_points",
    "The script logged more than {most:,} points: of what follows only the last values are kept.",
    "Log less often, say once an epoch.",
)
TEXTS_LEFT_OUT = Sentence(
    "metric_texts_left_out",
    "The script logged texts as metrics, which are left out: {texts}.",
    "Log numbers, or write the texts into a file in ./outputs.",
)
EVENT_FILE_DAMAGED = Sentence(
    "event_file_damaged",
    "The TensorBoard file {name} is damaged: what follows in it is not read.",
    "See whether two processes write into one file, or the disk is full.",
)
TOO_MANY_EVENT_FILES = Sentence(
    "too_many_event_files",
    "The script writes more than {most:,} TensorBoard files: further ones are not read.",
    "Let it write one for each run.",
)

# of patterns for printed lines

PATTERN_NO_NAME = Sentence(
    "pattern_no_name",
    "{text!r} is no pattern.",
    "Write NAME = EXPRESSION, say: loss = loss: ([0-9.]+)",
)
PATTERN_LONG = Sentence(
    "pattern_long",
    "The expression is longer than {most} characters.",
    "Describe only what stands close to the value.",
)
PATTERN_INVALID = Sentence(
    "pattern_invalid", "This is no regular expression: {why}.", "Correct the expression."
)
PATTERN_NOT_TAKEN = Sentence(
    "pattern_not_taken",
    "The expression cannot be read from {part!r} on: patterns have characters, classes, groups, "
    "alternatives and repetitions.",
    "Write it without what refers to other groups or sets flags; a backslash before ( ) [ ] * + ? "
    "takes them as they are.",
)
PATTERN_NO_VALUE = Sentence(
    "pattern_no_value",
    "The expression does not say which part is the value.",
    "Put it in round brackets, say: loss: ([0-9.]+)",
)
PATTERN_NESTED = Sentence(
    "pattern_nested",
    "The expression repeats what itself repeats or has alternatives: that could take for ever.",
    "Repeat single characters or classes only.",
)
PATTERN_SLOW = Sentence(
    "pattern_slow",
    "The expression can match one line in too many ways: that could take very long.",
    "Use .* once at most, or say what stands there, as in [^(]*.",
)
PATTERN_SET_ASIDE = Sentence(
    "pattern_set_aside",
    "The pattern {name} takes too long on these lines: it is used no more in this run.",
    "Begin it with the words that stand before the value.",
)

# to clients of the tracking address, in MLflow's answers

TRACKING_NOT_HERE = Sentence(
    "tracking_not_here",
    "There is no {method} {path} here: this address takes runs, parameters, metrics and tags of "
    "one step.",
    "Keep a model by the output port of the step and register it in the designer.",
)
TRACKING_UNKNOWN = Sentence("tracking_unknown", "There is no {what} {name!r}.")
TRACKING_EXISTS = Sentence("tracking_exists", "There is an experiment {name!r} already.")
TRACKING_VALUE = Sentence("tracking_value", "{name} is not {wanted}.", "Correct the request.")
TRACKING_TOO_MANY = Sentence(
    "tracking_too_many", "One step takes at most {most:,} {what}.", "Use fewer."
)
TRACKING_TOO_LARGE = Sentence(
    "tracking_too_large", "The body has no length up to {most:,} bytes.", "Send smaller batches."
)
TRACKING_NOT_JSON = Sentence("tracking_not_json", "The body is no JSON object.")
TRACKING_FAILED = Sentence("tracking_failed", "The designer could not answer this request.")
