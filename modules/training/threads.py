"""How many threads a step should use, found by trying, again and again.

GNU OpenMP's threads meet at a barrier in every layer. Beside busy processes the one that lost its
core holds up all others, and two threads become many times slower than one (measured here: 281
images/s alone, 9 to 73 beside two busy processes, 100 with one thread).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

TRIAL_STEPS = 3
TRIAL_EVERY_SECONDS = 10.0
SHARE_OF_TIME = 0.03
"""How much of the time trials may take when they find nothing better."""


class ThreadTuner:
    """Uses all threads or one, whichever has shown the shorter time per image lately."""

    def __init__(
        self,
        most: int,
        set_threads: Callable[[int], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._choices = (most, 1)
        self._set_threads = set_threads
        self._clock = clock
        self._current = 0
        self._trying = False
        self._times: list[float] = []
        self._trial_seconds = 0.0
        self._next_trial = clock()

    @property
    def num_threads(self) -> int:
        """What the next step will use."""
        return self._choices[self._current]

    def observe(self, seconds: float, num_images: int) -> None:
        """Take in how long a step took, and choose for the next one."""
        if self._choices[0] == 1:
            return
        self._times.append(seconds / max(num_images, 1))
        if self._trying:
            self._trial_seconds += seconds
            if len(self._times) == 2 * TRIAL_STEPS:
                self._conclude()
        elif self._clock() >= self._next_trial and len(self._times) >= TRIAL_STEPS:
            self._times = self._times[-TRIAL_STEPS:]
            self._trying = True
            self._switch()

    def _conclude(self) -> None:
        before = statistics.median(self._times[:TRIAL_STEPS])
        after = statistics.median(self._times[TRIAL_STEPS:])
        if after >= before:
            self._switch()
        self._times = []
        self._trying = False
        pause = max(TRIAL_EVERY_SECONDS, self._trial_seconds / SHARE_OF_TIME)
        self._next_trial = self._clock() + pause
        self._trial_seconds = 0.0

    def _switch(self) -> None:
        self._current = 1 - self._current
        self._set_threads(self.num_threads)
