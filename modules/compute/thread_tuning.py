"""How many threads a step should use, found by trying, again and again.

GNU OpenMP's threads meet at a barrier in every layer. Beside busy processes the one that lost its
core holds up all others, and two threads become many times slower than one (measured here: 281
images/s alone, 9 to 73 beside two busy processes, 100 with one thread).
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from collections.abc import Callable

SETTLING_STEPS = 4
"""The first ones tell little: kernels are set up, and convolutions try how to be computed."""
RECENT_STEPS = 3
"""Their median is what a step takes at the moment."""
TRIPLED = 3.0
"""A step that takes so many times as long as before is reason enough for a trial at once."""
TRIAL_EVERY_SECONDS = 10.0
HOPELESS = 1.5
"""A step of a trial that takes so many times as long as before ends it."""
CLEARLY = 0.9
"""One thread must take at most so much of the time to be preferred: near a tie, all threads gain
more from the next quiet moment."""
SHARE_OF_TIME = 0.03
"""How much of the time trials may take that have no such reason."""
SHARE_OF_TIME_TO_RETURN = 0.2
"""The same after a change: what slowed the steps down is often over soon."""


class ThreadTuner:
    """Uses all threads or one, whichever has shown the shorter time per image lately."""

    def __init__(self, most: int, set_threads: Callable[[int], None]) -> None:
        self._choices = (most, 1)
        self._set_threads = set_threads
        self._current = 0
        self._settling = SETTLING_STEPS
        self._recent: deque[float] = deque(maxlen=RECENT_STEPS)
        self._best = math.inf
        """The lowest median with these threads since they were chosen."""
        self._before: float | None = None
        """The median with the other threads, while these are tried."""
        self._seconds = 0.0
        """Of steps, since a trial began or ended."""
        self._pause_seconds = 0.0

    @property
    def num_threads(self) -> int:
        """What the next step will use."""
        return self._choices[self._current]

    def observe(self, seconds: float, num_images: int) -> None:
        """Take in how long a step took, and choose for the next one."""
        if self._choices[0] == 1:
            return
        if self._settling:
            self._settling -= 1
            return
        self._seconds += seconds
        self._recent.append(seconds / max(num_images, 1))
        if self._before is not None and self._recent[-1] >= HOPELESS * self._before:
            self._conclude(self._before, self._recent[-1])
            return
        if len(self._recent) < RECENT_STEPS:
            return
        median = statistics.median(self._recent)
        if self._before is not None:
            self._conclude(self._before, median)
        elif self._seconds >= self._pause_seconds or median >= TRIPLED * self._best:
            self._before = median
            self._switch()
            self._begin_anew()
        else:
            self._best = min(self._best, median)

    def _conclude(self, before: float, after: float) -> None:
        share = SHARE_OF_TIME_TO_RETURN
        if after >= before * (CLEARLY if self.num_threads == 1 else 1.0):
            # Near a tie all threads may win at the next trial: what slowed them may be passing.
            is_near = self.num_threads > 1 and after < HOPELESS * before
            share = SHARE_OF_TIME_TO_RETURN if is_near else SHARE_OF_TIME
            self._switch()
        # Slow steps that no choice of threads cures are no reason for trial after trial.
        self._best = min(before, after)
        self._before = None
        self._pause_seconds = max(TRIAL_EVERY_SECONDS, self._seconds / share)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._recent.clear()
        self._seconds = 0.0

    def _switch(self) -> None:
        self._current = 1 - self._current
        self._set_threads(self.num_threads)
