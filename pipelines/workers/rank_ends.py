"""The good ends of a step's ranks: their hosts tell them, and the first rank waits for the others'.

It seals the outputs, and a rank may write to them until its process is gone.
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


def tell_end(spec: StepSpec, rank: int) -> int:
    """Say that a rank has ended well; gives its exit code, that of a failure where it cannot."""
    try:
        spec.end_path(rank).touch()
    except OSError as error:
        return report_failure(error, spec, rank)
    return 0


def await_others(spec: StepSpec) -> None:
    """In the first rank: wait until all others have ended well, wherever they are.

    Where one does not, this process is asked to end, by its host or by that one's agent or runner.
    Raises ``StepCancelledError`` then.
    """
    missing = {spec.end_path(rank).name for rank in range(1, spec.world_size)}
    if not missing:
        return
    signal.signal(signal.SIGTERM, _cancel)  # a module may have left a handler that only takes note
    seconds = SHORTEST_POLL_SECONDS
    while missing := missing - _names(spec.attempt_dir):
        time.sleep(seconds)
        seconds = min(2 * seconds, LONGEST_POLL_SECONDS)


def _cancel(*_: object) -> NoReturn:
    raise StepCancelledError


def _names(folder: Path) -> set[str]:
    """What is there now; nothing where a shared folder cannot be read just now."""
    try:
        return set(os.listdir(folder))
    except FileNotFoundError:  # the run was deleted
        raise
    except OSError:
        return set()
