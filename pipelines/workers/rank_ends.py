"""Success reports of a step's ranks, which the first rank waits for.

The first rank seals the outputs, and a rank may write to them until its process has exited.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import NoReturn

from modules.context import StepCancelledError
from pipelines.workers.rank_errors import report_failure
from pipelines.workers.step_spec import StepSpec

SHORTEST_POLL_SECONDS, LONGEST_POLL_SECONDS = 0.01, 0.5


def report_end(spec: StepSpec, rank: int) -> int:
    """Report that a rank has succeeded; return its exit code, a failure's if the report fails."""
    try:
        spec.end_path(rank).touch()
    except OSError as error:
        return report_failure(error, spec, rank)
    return 0


def await_others(spec: StepSpec) -> None:
    """Wait, in the first rank, until all other ranks on all machines have succeeded.

    If one does not, this process is asked to end by its host, agent or runner. Raises
    ``StepCancelledError`` then.
    """
    missing = {spec.end_path(rank).name for rank in range(1, spec.world_size)}
    if not missing:
        return
    # a module may have left a handler that only records the signal
    signal.signal(signal.SIGTERM, _cancel)
    seconds = SHORTEST_POLL_SECONDS
    while missing := missing - _names(spec.attempt_dir):
        time.sleep(seconds)
        seconds = min(2 * seconds, LONGEST_POLL_SECONDS)


def _cancel(*_: object) -> NoReturn:
    raise StepCancelledError


def _names(folder: Path) -> set[str]:
    """Return the names that exist; none if a shared folder cannot be read at the moment."""
    try:
        return set(os.listdir(folder))
    except FileNotFoundError:  # the run was deleted
        raise
    except OSError:
        return set()
