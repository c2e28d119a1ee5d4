"""What is said of steps and runs that fail, are ended or cannot begin."""

from __future__ import annotations

from modules.sentences.sentence import Sentence

_CODE = "Correct the code, then resume the run."
_RESUME = "Resume the run: it goes on from the last checkpoint."

SEE_LOG = Sentence("see_log", "See the log of the step.")
"""The cure of an author's error that has none."""

# in a module

MODULE_CHANGED = Sentence(
    "module_changed", "{why}", "Put the file back as it was, or run the pipeline again."
)
MODULE_FAILED = Sentence(
    "module_failed", "{module} failed: {error}.", "See its driver log for the traceback."
)
CODE_RAISED = Sentence(
    "code_raised",
    "{module} raised an error:\n{traceback}",
    _CODE,
)
OUTPUT_OF_OTHER_TYPE = Sentence(
    "output_of_other_type",
    "Output {output!r} is of type {found}: return one of {wanted}.",
    _CODE,
)
OUTPUT_NO_FOLDER = Sentence(
    "output_no_folder", "Output {output!r} is no folder: make it in context.new_folder().", _CODE
)
OUTPUT_ELSEWHERE = Sentence(
    "output_elsewhere", "Output {output!r} lies elsewhere: make it in context.new_folder().", _CODE
)
MEMORY_OUT = Sentence(
    "memory_out", "Memory ran out.", "Lower the batch size or the image size, then resume the run."
)
STEP_DISK_FULL = Sentence(
    "step_disk_full", "The disk is full.", "Free space (`designer gc` helps), then resume the run."
)
RUN_DISK_FULL = Sentence(
    "run_disk_full",
    "The disk is full.",
    "Free disk space (`designer gc` helps), then resume the run.",
)
WORKSPACE_DISK_FULL = Sentence(
    "workspace_disk_full",
    "The disk that holds the workspace is full.",
    "Free space on it (`designer gc` helps), then try again.",
)
STEP_NOT_STARTED = Sentence(
    "step_not_started",
    "The step could not be started: {error}.",
    "Free disk space (`designer gc` helps), then resume the run.",
)

# processes that are gone; last is LAST_WORDS or nothing

RANK_ENDED = Sentence("rank_ended", "Rank {rank} was ended by {signal}.{last}", _RESUME)
PROCESS_KILLED = Sentence(
    "process_killed", "The process of this step was ended by {signal}.{last}", _RESUME
)
PROCESS_ENDED = Sentence(
    "process_ended",
    "The process of this step ended by itself with exit code {exit_code}, before its output was "
    "whole.{last}",
    _RESUME,
)
PROCESS_GONE = Sentence("process_gone", "The process of this step disappeared.{last}", _RESUME)
KILLED = Sentence("killed", "{signal} (by hand, or by the system when memory ran out)")
RANKS_FOLLOWED = Sentence("ranks_followed", "{count} other {count:rank|ranks} ended because of it")
RANKS_FAILED_TOO = Sentence("ranks_failed_too", "{count} other {count:rank|ranks} failed too")
LAST_WORDS = Sentence("last_words", " Its last words: {line}")

# limits

TIME_LIMIT = Sentence(
    "time_limit",
    "The step ran longer than its limit of {minutes:g} minutes.{last}",
    "Raise the time limit, then resume the run: it goes on from the last checkpoint.",
)
STALL_LIMIT = Sentence(
    "stall_limit",
    "The step told no progress for {minutes:g} minutes, its stall limit.{last}",
    "Look at the log of each rank, then resume the run: it goes on from the last checkpoint. "
    "Raise the stall limit where a step may be silent for longer.",
)

# runs

RUN_CANCELLED = Sentence(
    "run_cancelled", "The run was cancelled.", "Resume it to go on where it stopped."
)
NOT_PLANNED = Sentence(
    "not_planned",
    "The pipeline could not be planned: {error}.",
    "See the runner's log in the workspace for the traceback.",
)
UPSTREAM_FAILED = Sentence(
    "upstream_failed", "{names} gave no output.", "Cure the problem there, then resume the run."
)
UPSTREAM_NOT_PLANNED = Sentence(
    "upstream_not_planned",
    "The run could not be planned.",
    "Cure the problem there, then resume the run.",
)
RUNNER_LOST_RUN = Sentence(
    "runner_lost_run",
    "The runner ended while this run was under way, and the step with it.",
    _RESUME,
)
RUNNER_LOST_STEP = Sentence(
    "runner_lost_step",
    "The runner ended while this step was under way, and the step with it.",
    _RESUME,
)
_RUNNER_CURE = "Look for what ends it (memory that runs out, say) in runner.log, then resume."
RUNNERS_LOST_RUN = Sentence(
    "runners_lost_run",
    "The runner ended {count} times in this run, the last time during this run.",
    _RUNNER_CURE,
)
RUNNERS_LOST_STEP = Sentence(
    "runners_lost_step",
    "The runner ended {count} times in this run, the last time during this step.",
    _RUNNER_CURE,
)

# warnings

ATTEMPT_FAILED = Sentence("attempt_failed", "Attempt {attempt} failed: {why} Trying again.")
ATTEMPT_PREEMPTED = Sentence(
    "attempt_preempted",
    "Attempt {attempt} ended on a target that may take machines away: {why} The next one goes on "
    "from the last checkpoint, if there is one.",
)
ATTEMPT_LOST = Sentence("attempt_lost", "The runner ended during attempt {attempt}. Trying again.")
