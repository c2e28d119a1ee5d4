"""How long OpenMP's threads spin at a barrier: long alone, briefly beside other work.

GNU OpenMP's threads meet in every layer, and one that waits spins for a while before it sleeps.
Alone, spinning long saves waking up: 1.2 to 1.4 times as many images a second on a machine that
wakes threads slowly. Beside other work it holds the core that the awaited thread needs: a fifth
to a half of what brief spins reach. Switched off (``switches.SPIN_CONTROL``), ResNet-18 at 64
pixels beside two busy processes took 24 images a second for 48 (eight pairs by turns, each gain
between 1.5 and 5.5, on two cores).

The count is read once, from ``GOMP_SPINCOUNT``; but while a process has more OpenMP threads than
there are cores, they spin 1000 or 100 times at most (GNU libgomp's manual, GOMP_SPINCOUNT). So
threads that are there and do nothing make all others spin briefly, and may come and go.
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
"""Between two looks at how long threads queued; one quiet look makes spins long. Waiting for a
second one cost a tenth of a short epoch after each validation and checkpoint."""
CONTESTED = 0.35
"""Seconds a second that a process's threads, together, wait for a core: alone 0.01 to 0.08; in a
pipeline, whose runner and command want a tenth of a core, 0.1 to 0.3; beside one busy process 0.5
to 0.7 where spins are brief."""
Queues = dict[str, float]
"""Seconds that each thread was ready to run and had no core, until now."""
_SOFT_PAUSE = 1
"""``omp_pause_soft`` of OpenMP 5.0: threads are given up, all else is kept."""


class Solitude:
    """Whether a process has had its cores to itself lately."""

    def __init__(self) -> None:
        self._then = 0.0
        self._queues: Queues = {}

    def observe(self, now: float, queues: Queues) -> bool:
        """Take in how long each thread has queued for a core until ``now``, in seconds.

        No threads at all, where the kernel does not tell, count for a busy machine.
        """
        both = queues.keys() & self._queues.keys()
        queued = sum(queues[each] - self._queues[each] for each in both)
        is_quiet = bool(both) and queued < CONTESTED * (now - self._then)
        self._then, self._queues = now, queues
        return is_quiet


class Crowd:
    """More OpenMP threads than cores, asleep, where they are wanted; used by one thread."""

    def __init__(self, openmp: ctypes.CDLL) -> None:
        self._openmp = openmp
        # A function without effect that each thread calls once: no Python runs in them.
        self._nothing = ctypes.cast(openmp.omp_get_thread_num, ctypes.c_void_p)
        self._is_here = False

    def gather(self) -> None:
        """From here on everybody spins briefly."""
        if not self._is_here:
            num_threads = ctypes.c_uint((os.cpu_count() or 1) + 1)
            self._openmp.GOMP_parallel(self._nothing, None, num_threads, ctypes.c_uint(0))
            self._is_here = True

    def disperse(self) -> None:
        """From here on everybody spins as long as the environment says."""
        if self._is_here:
            host = self._openmp.omp_get_initial_device()
            self._openmp.omp_pause_resource(_SOFT_PAUSE, host)
            self._is_here = False


@contextmanager
def spins_that_fit() -> Iterator[None]:
    """Brief spins inside the block while others want the cores, long ones after a quiet look.

    Does nothing where torch does not compute with GNU OpenMP, or where OMP_WAIT_POLICY says
    what the user wants.
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
    """The GNU OpenMP that torch has loaded, or None."""
    import torch

    folder = str(Path(torch.__file__).resolve().parent)
    libraries = (str(path) for path in loaded_files())
    found = (path for path in libraries if "libgomp" in path and path.startswith(folder))
    path = next(found, None)
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
    """Of this process's threads, as far as the kernel tells."""
    return waiting_seconds()
