"""Driver of sweeps: advances those that are active, round by round."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from pipelines.errors import DatabaseAwayError
from pipelines.runs.run_service import RunService
from pipelines.store.database.sweeps import SweepStore
from pipelines.sweeps.sweep_round import SweepRound
from pipelines.sweeps.trial_curves import TrialCurves

logger = logging.getLogger(__name__)

TROUBLE_SECONDS = 5.0
"""Pause of a sweep after an unexpected error."""


class SweepDriver:
    """Sweeps of one workspace; ``tick`` is called after each change of the database."""

    def __init__(self, runs: RunService, clock: Callable[[], float] = time.time) -> None:
        self._runs = runs
        self._store = SweepStore(runs.database)
        self._clock = clock
        self._held_until: dict[str, float] = {}
        self._curves: dict[str, TrialCurves] = {}
        """By sweep, for early stopping."""

    def tick(self) -> bool:
        """Advance every sweep; return True if one is active.

        A sweep that fails in an unexpected way neither ends nor stops others: it is tried again.
        """
        rows = self._store.active()
        for row in rows:
            if time.monotonic() < self._held_until.get(row.id, 0.0):
                continue
            try:
                curves = self._curves.setdefault(row.id, TrialCurves(self._runs))
                SweepRound(self._runs, self._store, row, self._clock(), curves).advance()
            except DatabaseAwayError:
                raise
            except Exception:  # one sweep must not stop the others
                logger.exception("Sweep %s could not be advanced", row.id)
                self._held_until[row.id] = time.monotonic() + TROUBLE_SECONDS
        return bool(rows)
