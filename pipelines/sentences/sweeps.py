"""Messages about sweeps over parameters."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

# the settings of a sweep

NOTHING_SWEPT = Sentence(
    "The sweep varies no parameter.",
    "Add one: `--param NODE.PARAMETER=SPACE`, or *Try* in its pane.",
)
SWEPT_NO_NODE = Sentence("The sweep varies {place}, but there is no node {name!r}.", "{help}")
SWEPT_DISABLED = Sentence(
    "The sweep varies {place}, but this node is disabled.", "Enable it or remove it from the sweep."
)
SWEPT_INSIDE = Sentence(
    "The sweep varies {place}, which is inside a sub-pipeline.",
    "Make it a parameter of the sub-pipeline and vary that one.",
)
SWEPT_PINNED = Sentence(
    "The sweep varies {place}, but trials use a pinned result instead of this node.",
    "Unpin the pinned node or remove the parameter from the sweep.",
)
SWEPT_NO_PARAMETER = Sentence(
    "The sweep varies {place}, but {module} has no parameter {name!r}.", "{help}"
)
SWEPT_BOUND = Sentence(
    "The sweep varies {place}, which the pipeline parameter {title!r} sets.",
    "Remove that binding or the parameter from the sweep.",
)
SWEPT_VALUE = Sentence("The sweep cannot set {place}: {message}", "{cure}")
OBJECTIVE_NO_NODE = Sentence(
    "The sweep compares metrics of {name!r}, which is not an enabled node.", "{help}"
)
OBJECTIVE_PINNED = Sentence(
    "The sweep compares metrics of {name!r}, of which trials use a pinned result or none.",
    "Unpin the pinned node or compare another metric.",
)
GRID_TOO_LARGE = Sentence(
    "The grid has {count:,} combinations.",
    "Limit the trials, list fewer values, or use the strategy `random`. At most {most:,} are run.",
)
PRUNING_NEEDS_METRIC = Sentence(
    "Early stopping needs a metric to compare trials by.",
    "Choose it: `--metric NODE.METRIC`, such as train.Valid loss.",
)

HALVING_NO_EPOCHS = Sentence(
    "Successive halving cannot pause {name!r}, which has no epochs.",
    "Compare a metric of a training, or stop early by median or bandit.",
)
HALVING_OF_EPOCHS = Sentence(
    "Successive halving needs equal epochs, but the sweep varies {place}.",
    "Remove it from the sweep, or stop early by median or bandit.",
)

# the command line

NO_SPACE = Sentence(
    "Invalid space {text!r}.",
    "Use NODE.PARAMETER=4,8,16 or =0.1..0.9, =1e-3..1e-1:log or =1..9:int.",
)
NO_METRIC_NAME = Sentence("Invalid metric {text!r}.", "Use NODE.METRIC, such as train.Valid loss.")
NO_SWEEP_SETTING = Sentence("Invalid value of {name}: {why}.", "See `designer sweep run --help`.")
GOAL_WITHOUT_METRIC = Sentence("--goal needs a metric.", "Add --metric NODE.METRIC.")
NO_SWEEP = Sentence("No sweep {text!r}.", "List them: `designer sweep list`.")
SEVERAL_SWEEPS = Sentence(
    "{count} sweep IDs start or end with {text!r}.", "Enter more characters of the ID."
)
SWEEP_NOT_RUNNING = Sentence("Sweep {sweep} is not running.", "See `designer sweep show {sweep}`.")
SWEEP_ENDED = Sentence(
    "Sweep {sweep} has run all of its trials.", "Start another one with more trials."
)
NOTHING_TO_REPEAT = Sentence(
    "No trial of the sweep has completed.", "Resume the sweep, or start another one."
)
NO_SEED = Sentence(
    "No node up to {node!r} has a random seed that a repetition can change.",
    "Give a training on the canvas a Random seed that neither the sweep nor a pipeline parameter "
    "sets.",
)
NUMBER_OF_SEEDS = Sentence(
    "The number of seeds must be 1 to {most}.", "Use for example `--seeds 3`."
)
SWEEP_UNDER_WAY = Sentence("Sweep {sweep} is running.", "Stop it first, or wait for its end.")

# reasons of sweeps and trials

ALL_FAILED = Sentence("All trials failed. The first one: {why}")
FIRST_FAILED = Sentence("The first {count} trials failed. The first one: {why}")
TIME_IS_UP = Sentence("The time limit of {minutes:g} minutes was reached.")
TARGET_LOST = Sentence("{message}", "Add the target again, then resume the sweep.")
DISK_IS_FULL = Sentence("The disk is full.", "Free disk space, then resume the sweep.")
SUGGESTER_FAILED = Sentence(
    "The strategy failed ({why}); values of {count} {count:trial|trials} are random instead."
)
METRIC_MISSING = Sentence(
    "It did not report the metric {metric!r} of {node!r}.", "It reported: {reported}."
)
METRIC_NOT_A_NUMBER = Sentence("Its metric {metric!r} is not a number.")
NO_METRICS = Sentence("It reported no metric to compare trials by.")
CANCELLED_BY_HAND = Sentence("It was cancelled.")
TRIAL_FAILED = Sentence("{message}", "{cure}", key="trial_failed")
RUN_DELETED = Sentence("Its run was deleted.")
FAILED_WITHOUT_REASON = Sentence("Its run failed.")

name_sentences(globals())
