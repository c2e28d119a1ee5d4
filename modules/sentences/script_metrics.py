"""Messages about metrics of scripts, to the user and to clients of the tracking address."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# Messages to the user

CURVE_THINNED = Sentence(
    "{name} has more than {most:,} points. From there on only every tenth point is kept, later "
    "every hundredth, and the last one.",
    "To keep every point, log it less often.",
)
MODEL_NOT_REGISTERED = Sentence(
    "The script called register_model for {name!r} ({path}), but the designer does not register "
    "models from scripts.",
    "Register the file from this node: designer models register {name} last --node NODE "
    "--file {path}",
    key="script_model_not_registered",
)
TOO_MANY_CURVES = Sentence(
    "The script logs more than {most:,} metrics. {name} and all further metrics are ignored.",
    "Log fewer names. Log values of one kind under one name with different steps.",
)
TOO_MANY_POINTS = Sentence(
    "The script logged more than {most:,} points. From now on only the last values are kept.",
    "Log less often, for example once per epoch.",
)
TEXTS_LEFT_OUT = Sentence(
    "The script logged text as metrics, which is ignored: {texts}.",
    "Log numbers, or write the text to a file in ./outputs.",
    key="metric_texts_left_out",
)
EVENT_FILE_DAMAGED = Sentence(
    "The TensorBoard file {name} is damaged. The rest of it is not read.",
    "Check whether two processes write to one file, or whether the disk is full.",
)
TOO_MANY_EVENT_FILES = Sentence(
    "The script writes more than {most:,} TensorBoard files. Further files are not read.",
    "Let it write one file for each run.",
)

# Messages about patterns for output lines

PATTERN_NO_NAME = Sentence(
    "Invalid pattern {text!r}.", "Use NAME = EXPRESSION, for example: loss = loss: ([0-9.]+)"
)
PATTERN_LONG = Sentence(
    "The expression is longer than {most} characters.", "Describe only the text close to the value."
)
PATTERN_INVALID = Sentence("Invalid regular expression: {why}.", "Correct the expression.")
PATTERN_NOT_TAKEN = Sentence(
    "The expression is not supported from {part!r} on. Patterns may contain characters, classes, "
    "groups, alternatives and repetitions.",
    "Remove references to other groups and flags. Put a backslash before ( ) [ ] * + ? to match "
    "these characters.",
)
PATTERN_NO_VALUE = Sentence(
    "The expression does not mark the value.", "Put it in parentheses, for example: loss: ([0-9.]+)"
)
PATTERN_NESTED = Sentence(
    "The expression repeats a group that contains repetitions or alternatives, which could take "
    "forever.",
    "Repeat single characters or classes only.",
)
PATTERN_SLOW = Sentence(
    "The expression can match one line in too many ways, which could take very long.",
    "Use .* at most once, or limit the characters, for example [^(]*.",
)
PATTERN_SET_ASIDE = Sentence(
    "The pattern {name} takes too long on these lines and is disabled for this run.",
    "Start it with the words before the value.",
)

# Messages to clients of the tracking address, in MLflow's response format

TRACKING_NOT_HERE = Sentence(
    "{method} {path} is not available: this address accepts runs, parameters, metrics and tags of "
    "one step.",
    "Use the model output port of the step and register the model in the designer.",
)
TRACKING_UNKNOWN = Sentence("The {what} {name!r} was not found.")
TRACKING_EXISTS = Sentence("The experiment {name!r} already exists.")
TRACKING_VALUE = Sentence("{name} must be {wanted}.", "Correct the request.")
TRACKING_TOO_MANY = Sentence("One step accepts at most {most:,} {what}.", "Use fewer.")
TRACKING_TOO_LARGE = Sentence(
    "The request body exceeds {most:,} bytes or has no length.", "Send smaller batches."
)
TRACKING_NOT_JSON = Sentence("The request body is not a JSON object.")
TRACKING_FAILED = Sentence("The designer failed to process this request.")

name_sentences(globals())
