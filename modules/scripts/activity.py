"""Detection of activity of processes: output, or CPU time."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from modules.operating_system.process_table import processor_seconds_below
from modules.scripts.log_tail import size_of

INTERVAL_SECONDS = 2.0
LEAST_SHARE = 0.03
"""Minimum share of a core's time: processes that wait for another rank use less."""


@dataclass
class Activity:
    """Monitor of the logs and the CPU time of all processes below this one."""

    logs: Sequence[Path]
    _looked: float = field(default_factory=time.monotonic)
    _printed: int = 0
    _computed: float = 0.0

    def is_seen(self) -> bool:
        """Return True if anything was done since the last call; checks every two seconds."""
        now = time.monotonic()
        if now - self._looked < INTERVAL_SECONDS:
            return False
        seconds, self._looked = now - self._looked, now
        printed = sum(map(size_of, self.logs))
        computed = processor_seconds_below(os.getpid())
        if computed is None:  # a system without this information: the processes count as active
            return True
        is_seen = printed != self._printed or computed - self._computed > LEAST_SHARE * seconds
        self._printed, self._computed = printed, computed
        return is_seen
