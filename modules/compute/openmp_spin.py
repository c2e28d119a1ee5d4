"""Control of OpenMP's spinning at barriers: long if the process is alone, brief next to other work.

GNU OpenMP's threads synchronise in every layer, and a waiting thread spins for a while before it
sleeps. If the process is alone, long spins save waking up: 1.2 to 1.4 times as many images a second
on a machine that wakes threads slowly. Next to other work they hold the core that the awaited
thread needs: a fifth to a half of the speed with brief spins. Switched off
(``switches.SPIN_CONTROL``), ResNet-18 at 64 pixels next to two busy processes took 24 images a
second instead of 48 (eight alternating pairs, each gain between 1.5 and 5.5, on two cores).

The count is read once, from ``GOMP_SPINCOUNT``; but while a process has more OpenMP threads than
there are cores, they spin 1000 or 100 times at most (GNU libgomp's manual, GOMP_SPINCOUNT). So
additional idle threads make all others spin briefly, and may be added and removed.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.compute.switches import SPIN_CONTROL, is_on
from modules.operating_system.kernel import loaded_files, waiting_seconds

LOOK_SECONDS = 0.5
"""Seconds between two measurements of queueing; one quiet measurement makes spins long. Waiting for
a second one cost a tenth of a short epoch after each validation and checkpoint.
"""
CONTESTED = 0.35
"""Seconds per second that a process's threads, together, wait for a core: alone 0.01 to 0.08; in a
pipeline, whose runner and command need a tenth of a core, 0.1 to 0.3; next to one busy process
0.5 to 0.7 if spins are brief.
"""
Queues = dict[str, float]
"""Seconds that each thread was ready to run but had no core."""
_SOFT_PAUSE = 1
"""``omp_pause_soft`` of OpenMP 5.0: threads are released, everything else is kept."""


class Solitude:
    """Detector of whether a process has had its cores to itself recently."""

    def __init__(self) -> None:
        self._then = 0.0
        self._queues: Queues = {}

    def observe(self, now: float, queues: Queues) -> bool:
        """Record how long each thread has queued for a core until ``now``, in seconds.

        No threads at all, if the kernel does not report them, count as a busy machine.
        """
        both = queues.keys() & self._queues.keys()
        queued = sum(queues[thread] - self._queues[thread] for thread in both)
        is_quiet = bool(both) and queued < CONTESTED * (now - self._then)
        self._then, self._queues = now, queues
        return is_quiet


class Crowd:
    """Additional sleeping OpenMP threads, more than there are cores; used by one thread."""

    def __init__(self, openmp: ctypes.CDLL) -> None:
        self._openmp = openmp
        # A no-op function that each thread calls once: no Python runs in them.
        self._nothing = ctypes.cast(openmp.omp_get_thread_num, ctypes.c_void_p)
        self._is_here = False

    def gather(self) -> None:
        """Make all threads spin briefly."""
        if not self._is_here:
            num_threads = ctypes.c_uint((os.cpu_count() or 1) + 1)
            self._openmp.GOMP_parallel(self._nothing, None, num_threads, ctypes.c_uint(0))
            self._is_here = True

    def disperse(self) -> None:
        """Make all threads spin as long as the environment specifies."""
        if self._is_here:
            host = self._openmp.omp_get_initial_device()
            self._openmp.omp_pause_resource(_SOFT_PAUSE, host)
            self._is_here = False


@contextmanager
def spins_that_fit() -> Iterator[None]:
    """Use brief spins inside the block while others need the cores.

    After a quiet measurement, spins are long again. Does nothing if torch does not compute with GNU
    OpenMP, or if OMP_WAIT_POLICY is set by the user.
    """
    openmp = gnu_openmp() if is_on(SPIN_CONTROL) else None
    if openmp is None or os.environ.get("OMP_WAIT_POLICY"):
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_follow, args=(openmp, ended), name="spins", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def gnu_openmp() -> ctypes.CDLL | None:
    """Return the GNU OpenMP that torch has loaded, or None."""
    import torch

    folder = str(Path(torch.__file__).resolve().parent)
    libraries = (str(path) for path in loaded_files())
    paths = (path for path in libraries if "libgomp" in path and path.startswith(folder))
    path = next(paths, None)
    return None if path is None else ctypes.CDLL(path)


def _follow(openmp: ctypes.CDLL, ended: threading.Event) -> None:
    crowd, solitude = Crowd(openmp), Solitude()
    is_alone = False
    while True:
        if is_alone:
            crowd.disperse()
        else:
            crowd.gather()
        if ended.wait(LOOK_SECONDS):
            break
        is_alone = solitude.observe(time.monotonic(), queues())
    crowd.disperse()


def queues() -> Queues:
    """Return the queueing time of this process's threads, if the kernel reports it."""
    return waiting_seconds()
