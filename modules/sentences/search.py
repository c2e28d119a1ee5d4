"""Messages about spaces of values to try, and about Tune Model Hyperparameters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# spaces, in sweeps and in Tune Model Hyperparameters

NO_CHOICES = Sentence("The sweep has no values for {place}.", "Enter values, such as 4,8,16.")
EQUAL_CHOICES = Sentence(
    "The sweep has the value {value} for {place} twice.", "Remove one of the two."
)
NO_ENDS = Sentence("The range for {place} has no {end} end.", "Enter both ends, such as 0.1..0.9.")
EMPTY_RANGE = Sentence(
    "The range for {place} is empty: {low} is not below {high}.",
    "Enter the smaller number first.",
)
LOG_OF_NOTHING = Sentence("The logarithmic range for {place} starts at {low}.", "Start it above 0.")
NO_WHOLE_ENDS = Sentence(
    "The range of whole numbers for {place} ends at {value}.", "Use whole numbers for both ends."
)
ENDS_TOO_LARGE = Sentence(
    "The range for {place} ends at {value}, beyond 2^53.", "Use a smaller range."
)
WHOLE_NUMBERS_ONLY = Sentence(
    "{title} takes whole numbers, but the sweep draws others for {place}.",
    "Use a range of whole numbers, such as 1..9:int, or list values.",
)
GRID_OF_RANGE = Sentence(
    "A grid needs single values, but {place} has a range.",
    "List values, use whole numbers such as 1..9:int, or another strategy.",
)
NO_OPTUNA = Sentence(
    "The strategy `tpe` needs the package Optuna.",
    "Install it: `pip install 'pipeline-designer[tune]'`, or use the strategy `random`.",
)
BEHIND_OTHERS = Sentence("It was behind other trials at epoch {epoch}.")

# Tune Model Hyperparameters

HALVING_TRIES_EPOCHS = Sentence(
    "Successive halving needs equal epochs, but the values to try vary them.",
    "Remove the line of epochs, or stop poor trials by median or bandit.",
)
HALVING_TOO_LATE = Sentence(
    "No trial is paused: they are compared from epoch {first}, and trainings have {epochs}.",
    "Compare from an earlier epoch, or train more epochs.",
)
SEARCH_ENDED = Sentence("The search ended before this trial continued.")
NOTHING_TO_TRY = Sentence(
    "No values to try are given.", "Enter a line such as learning_rate = 1e-4..1e-1:log."
)
NO_LINE = Sentence(
    "The line {text!r} does not set a space.",
    "Write NAME = SPACE: 4,8,16 or 0.1..0.9, 1e-3..1e-1:log or 1..9:int.",
)
NO_SUCH_PARAMETER = Sentence(
    "Train PyTorch Model has no parameter {name!r}.", "Use one of: {names}."
)
TRIED_TWICE = Sentence("{name} has two lines.", "Remove one of them.")
REFUSED_VALUE = Sentence("{name} cannot be {value}: {why}.", "Change its line in Values to try.")
LARGE_GRID = Sentence(
    "The grid has {count:,} combinations.",
    "List fewer values, or use the strategy `random`. At most {most:,} are trained.",
)
ALL_TRIALS_FAILED = Sentence(
    "{count:The trial|All of the first {count} trials} failed. The first one: {why}",
    "Change Values to try. {fix}",
)
BEST_OF_TRIALS = Sentence("{share:.1f} % with {values}, best of {count} {count:trial|trials}")
FAILED_TRIALS = Sentence("{count} failed")
STOPPED_TRIALS = Sentence("{count} stopped early")
FINISHED_EARLY = Sentence("finished early on request")
TIME_LIMIT_REACHED = Sentence("time limit reached")
RECORD_DAMAGED = Sentence(
    "The result of trial {number} is damaged and was discarded.",
    "Nothing needs to be done. The trial is trained again.",
)

name_sentences(globals())
