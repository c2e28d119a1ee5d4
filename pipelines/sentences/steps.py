"""Messages about steps and runs that fail, are cancelled or cannot start."""

from __future__ import annotations

from modules.sentences.sentence import Sentence, name_sentences

_CODE = "Fix the code, then resume the run."
_RESUME = "Resume the run to continue from the last checkpoint."

SEE_LOG = Sentence("See the log of the step.")
"""Default fix for errors of user code."""

# in a module

MODULE_CHANGED = Sentence("{why}", "Restore the file or run the pipeline again.")
MODULE_FAILED = Sentence(
    "{module} failed: {error}.", "See the driver log of the step for the traceback."
)
CODE_RAISED = Sentence("{module} raised an error:\n{traceback}", _CODE)
OUTPUT_OF_OTHER_TYPE = Sentence(
    "Output {output!r} has type {found}, but must be one of {wanted}.", _CODE
)
OUTPUT_NO_FOLDER = Sentence(
    "Output {output!r} is not a folder. Create it in context.new_folder().", _CODE
)
OUTPUT_ELSEWHERE = Sentence(
    "Output {output!r} is outside the step's folder. Create it in context.new_folder().", _CODE
)
MEMORY_OUT = Sentence(
    "The step ran out of memory.", "Reduce the batch size or the image size, then resume the run."
)
SHARED_GPU_FULL = Sentence(
    "The step ran out of memory on a GPU that up to {count} steps share.",
    "Reduce Steps per GPU, the number of parallel trials or the batch size.",
)
STEP_DISK_FULL = Sentence(
    "The disk is full.", "Free disk space, for example with `designer gc`, then resume the run."
)
RUN_DISK_FULL = Sentence(
    "The disk is full.", "Free disk space, for example with `designer gc`, then resume the run."
)
WORKSPACE_DISK_FULL = Sentence(
    "The workspace's disk is full.",
    "Free disk space, for example with `designer gc`, then try again.",
)
STEP_NOT_STARTED = Sentence(
    "Cannot start the step: {error}.",
    "Free disk space, for example with `designer gc`, then resume the run.",
)

# ended processes; ``last`` is LAST_WORDS or empty

RANK_ENDED = Sentence("Rank {rank} was terminated by {signal}.{last}", _RESUME)
PROCESS_KILLED = Sentence("The step's process was terminated by {signal}.{last}", _RESUME)
PROCESS_ENDED = Sentence(
    "The step's process exited with code {exit_code} before its output was complete.{last}", _RESUME
)
PROCESS_GONE = Sentence("The step's process disappeared.{last}", _RESUME)
KILLED = Sentence("{signal} (sent manually, or by the system when memory ran out)")
RANKS_FOLLOWED = Sentence("{count} other {count:rank|ranks} ended as a result")
RANKS_FAILED_TOO = Sentence("{count} other {count:rank|ranks} failed too")
LAST_WORDS = Sentence(" Last output: {line}")

# limits

TIME_LIMIT = Sentence(
    "The step exceeded its time limit of {minutes:g} minutes.{last}",
    "Raise the time limit, then resume the run to continue from the last checkpoint.",
)
STALL_LIMIT = Sentence(
    "The step reported no progress for {minutes:g} minutes, its stall limit.{last}",
    "See the log of each rank, then resume the run to continue from the last checkpoint. If "
    "the step needs longer between reports, raise the stall limit.",
)

# runs

RUN_CANCELLED = Sentence("The run was cancelled.", "Resume it to continue.")
NOT_PLANNED = Sentence(
    "The pipeline could not be planned: {error}.",
    "See runner.log in the workspace for the traceback.",
)
UPSTREAM_FAILED = Sentence(
    "{names} produced no output.", "Fix the problem there, then resume the run."
)
RUN_STOPPED_AT = Sentence(
    "The run was not started because of {names}.", "Fix the problem there, then resume the run."
)
UPSTREAM_NOT_PLANNED = Sentence(
    "The run could not be planned.", "Fix the problem there, then resume the run."
)
RUNNER_LOST_RUN = Sentence("The runner ended unexpectedly during this run.", _RESUME)
RUNNER_LOST_STEP = Sentence("The runner ended unexpectedly during this step.", _RESUME)
_RUNNER_CURE = "See runner.log for the cause, for example memory running out, then resume the run."
RUNNERS_LOST_RUN = Sentence(
    "The runner ended unexpectedly {count} times during this run.", _RUNNER_CURE
)
RUNNERS_LOST_STEP = Sentence(
    "The runner ended unexpectedly {count} times in this run, most recently during this step.",
    _RUNNER_CURE,
)

# warnings

ATTEMPT_FAILED = Sentence("Attempt {attempt} failed: {why} Retrying.")
ATTEMPT_PREEMPTED = Sentence(
    "Attempt {attempt} ended on a target with preemptible machines: {why} The next attempt "
    "continues from the last checkpoint, if one exists."
)
ATTEMPT_LOST = Sentence("The runner ended during attempt {attempt}. Retrying.")

name_sentences(globals())
