"""Number of threads of a process: as many as gain speed, on the cores that others leave free.

Threads of a computation synchronise in every layer. While another process has the core of one of
them, all others wait, so that a training of two threads on two cores, next to one busy process,
dropped to a ninth of its speed on one machine; with one thread it kept its core's full speed. And
on some processors small networks gain less from a second thread than other work would.

So the count follows the load of other processes. It decreases after two checks that see fewer free
cores than threads, and increases once cores have been idle for a few seconds. The gain of threads
is measured in the first quiet steps: of counts with about the same speed, the smallest is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from modules.compute.switches import THREAD_CONTROL, is_on
from modules.operating_system.machine import CpuUse, cpu_use, num_cores

LOOK_SECONDS = 0.5
"""Seconds between two checks of the load of other processes."""
BUSY_LOOKS = 2
"""Number of consecutive checks with fewer free cores than threads before one is released."""
QUIET_LOOKS, MOST_QUIET_LOOKS = 3, 12
"""Number of checks with idle cores before threads are added; doubled when soon reverted."""
SPARE = 0.3
"""Fraction of a usable core that others may take: an app, a runner, an open browser."""
LEAST_GAIN = 1.1
"""Minimum speedup that justifies more threads."""
LONG_STEP_SECONDS = 0.25
TRIAL_STEPS, TRIAL_SECONDS = 3, 0.1
"""Length of the trial of each count, after its first step; one long step is enough."""
SETTLED_STEPS, SETTLED_SECONDS = 2, 0.5
"""Delay before the trial: kernels are chosen and memory is allocated in the first steps."""


class FreeCores:
    """The cores that other processes leave free."""

    def __init__(
        self,
        read: Callable[[], CpuUse] = cpu_use,
        own: Callable[[], float] = time.process_time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._read, self._own, self._clock = read, own, clock
        self._cores = num_cores()
        self._then = (clock(), read(), own())

    def look(self) -> float:
        """Return the average since the last call."""
        then, use_then, own_then = self._then
        now, use, own = self._then = (self._clock(), self._read(), self._own())
        seconds = max(now - then, 1e-9)
        taken = own - own_then
        idle = [use.num_cores - (use.busy_seconds - use_then.busy_seconds - taken) / seconds]
        if use.quota_seconds is not None and use_then.quota_seconds is not None:
            in_quota = use.quota_seconds - use_then.quota_seconds - taken
            idle.append(self._cores - in_quota / seconds)
        return max(0.0, min(self._cores, *idle))


@dataclass
class ThreadTrial:
    """Trial of a few thread counts: finds the smallest that is about as fast as any."""

    counts: list[int]
    _times: list[float] = field(default_factory=list)
    _fastest: dict[int, float] = field(default_factory=dict)

    @property
    def count(self) -> int | None:
        """Return the count for the next step; None at the end.

        Once a count is clearly slower, fewer threads are not tried: they would be slower still.
        """
        times = list(self._fastest.values())
        is_over = len(times) == len(self.counts) or (times and times[-1] > LEAST_GAIN * min(times))
        return None if is_over else self.counts[len(times)]

    def add(self, seconds: float) -> None:
        """Record how long a step took with it."""
        self._times.append(seconds)
        is_new = len(self._fastest) > 0  # the first step with other threads prepares kernels
        times = self._times[1:] if is_new else self._times
        is_long = bool(times) and min(times) >= LONG_STEP_SECONDS
        if not is_long and (len(times) < TRIAL_STEPS or sum(times) < TRIAL_SECONDS):
            return
        self._fastest[self.counts[len(self._fastest)]] = min(times)
        self._times = []

    def best(self) -> int:
        """Return the best of the tried counts."""
        limit = LEAST_GAIN * min(self._fastest.values())
        return min(count for count, seconds in self._fastest.items() if seconds <= limit)


class ThreadCount:
    """The count of one process; a computation asks before each of its steps.

    Args:
        most: Maximum number of threads.
        take: Called with a new count, in the thread that computes.
        tell: Called with the counts that are no trials, including the first one.
        free_cores: Returns the cores that others left free, on average since the last call.
        share: Returns the current maximum among steps of the same runner; None: ``most``.
        is_tried: Threads are known to gain; else the first quiet steps measure the gain.
    """

    def __init__(
        self,
        most: int = 1,
        take: Callable[[int], None] = lambda _: None,
        tell: Callable[[int], None] = lambda _: None,
        free_cores: Callable[[], float] = lambda: 1.0,
        share: Callable[[], int | None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_tried: bool = False,
    ) -> None:
        self.current = self._most = most
        self._take, self._tell, self._told = take, tell, 0
        self._free_cores, self._share, self._clock = free_cores, share, clock
        self._is_fixed = most == 1 or not is_on(THREAD_CONTROL)
        self._trial: ThreadTrial | None = None
        self._is_tried = is_tried
        self._looked = self._began = self._taken_back = -1e9
        self._num_steps = self._num_busy = self._num_quiet = self._most_images = 0
        self._patience = QUIET_LOOKS

    def fix(self) -> None:
        """Keep the current count, so that results are bit-identical next to other work."""
        self._is_fixed = True

    @contextmanager
    def step(self, num_images: int) -> Iterator[None]:
        """Run one step on the thread that computes; steps on as many images take equally long."""
        self.follow()
        began = self._clock()
        yield
        self._num_steps += 1
        self._most_images = max(self._most_images, num_images)
        if self._trial is not None and num_images == self._most_images:  # not a short last batch
            self._trial.add(self._clock() - began)
            self._go_on_with_trial()

    def follow(self) -> None:
        """Release or add threads according to the load of the machine."""
        if not self._is_fixed and self._clock() - self._looked >= LOOK_SECONDS:
            self._look(self._clock())
        self._tell_of_it()

    def _look(self, now: float) -> None:
        is_first, self._looked = self._num_steps == 0 and self._began < 0, now
        free, most = self._free_cores(), min(self._most, self._share() or self._most)
        if is_first:
            self._began = now
            self._set(min(most, max(1, round(free))))
            return
        if self.current > most:
            self._trial = None
            self._set(most)
            return
        if self._trial is not None and free < self._trial.counts[0] - 0.5:
            self._set(self._trial.counts[0])
            self._trial = None  # its times would include other work
        is_short = free < self.current - 0.5
        has_idle = free >= self.current + 1 - SPARE and self.current < most
        self._num_busy = self._num_busy + 1 if is_short else 0
        self._num_quiet = self._num_quiet + 1 if has_idle else 0
        if self._num_busy >= BUSY_LOOKS:
            self._give_up(free, now)
        elif self._num_quiet >= self._patience and self._trial is None:
            self._taken_back = now
            self._set(min(most, int(free + SPARE)))
        elif not (is_short or self._is_tried or self._trial) and self._is_settled(now):
            self._trial = ThreadTrial(_tried(self.current))

    def _is_settled(self, now: float) -> bool:
        is_warm = self._num_steps >= SETTLED_STEPS and now - self._began >= SETTLED_SECONDS
        return self.current == self._most and is_warm

    def _give_up(self, free: float, now: float) -> None:
        was_soon = now - self._taken_back < 2 * self._patience * LOOK_SECONDS
        self._patience = min(MOST_QUIET_LOOKS, 2 * self._patience) if was_soon else QUIET_LOOKS
        self._set(max(1, round(free)))

    def _go_on_with_trial(self) -> None:
        assert self._trial is not None
        count = self._trial.count
        if count is None:
            self._is_tried = True
            self._most = count = self._trial.best()
            self._trial = None
        self._set(count)

    def _set(self, count: int) -> None:
        self._num_busy = self._num_quiet = 0
        if count != self.current:
            self.current = count
            self._take(count)

    def _tell_of_it(self) -> None:
        if self._trial is None and self.current != self._told:
            self._told = self.current
            self._tell(self.current)


def _tried(most: int) -> list[int]:
    """Return the count and its halves down to one."""
    counts = [most]
    while counts[-1] > 1:
        counts.append(counts[-1] // 2)
    return counts
