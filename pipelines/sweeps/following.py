"""Following of a sweep by a client, until it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

from pipelines.errors import DatabaseAwayError
from pipelines.execution.disk_exhaustion import DiskExhaustion
from pipelines.execution.runner_lock import current_runner
from pipelines.runs.run_service import RunService
from pipelines.store.database.change_watch import ChangeWatch
from pipelines.sweeps.sweeps import Sweep, Sweeps

PAUSE_SECONDS = 0.05
CHECK_SECONDS = 1.0


def follow_sweep(runs: RunService, sweep_id: str) -> Iterator[Sweep]:
    """Yield a sweep about twenty times a second, the last time after its end.

    If the runner dies, another one is started. Raises ``PipelineError`` (0138) if the disk is so
    full that not even the end can be written.
    """
    sweeps, watch = Sweeps(runs), ChangeWatch(runs.database)
    exhaustion, checked, was_changed = DiskExhaustion(runs.workspace), time.monotonic(), False
    sweep = sweeps.find(sweep_id)
    try:
        while True:
            with suppress(DatabaseAwayError):  # which runs survive
                if watch.changed():
                    was_changed, sweep = True, sweeps.find(sweep_id)
            yield sweep
            if not sweep.is_active:
                return
            time.sleep(PAUSE_SECONDS)
            if time.monotonic() - checked > CHECK_SECONDS:
                exhaustion.check(has_news=was_changed)
                checked, was_changed = time.monotonic(), False
                if current_runner(runs.workspace) is None:
                    with suppress(DatabaseAwayError):
                        runs.runner.refresh()
    finally:
        watch.close()
