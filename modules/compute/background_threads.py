"""Threads for background work during a step, which use only the idle time of the cores.

A step's own threads synchronise in every layer; one that lost its core to a decoder delays all
others.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

NICENESS = 10


def background_pool(num_threads: int, name: str) -> ThreadPoolExecutor:
    """Create a pool whose threads have a lower priority than others, if supported."""
    return ThreadPoolExecutor(num_threads, name, initializer=_give_way)


def _give_way() -> None:
    # Only Linux supports the niceness of single threads; elsewhere it applies to the process.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(
                os.PRIO_PROCESS, thread, max(NICENESS, os.getpriority(os.PRIO_PROCESS, thread))
            )


def for_each_in_threads(
    work: Callable[[int], None], indices: Sequence[int], num_threads: int
) -> None:
    """Call ``work`` with every index; the first error ends all threads and is raised."""
    failed, left = threading.Event(), iter(indices)

    def work_on() -> None:
        for index in left:  # each thread takes the next one that is left
            if failed.is_set():
                return
            try:
                work(index)
            except BaseException:
                failed.set()
                raise

    with ThreadPoolExecutor(num_threads, "decode") as pool:
        for future in [pool.submit(work_on) for _ in range(min(num_threads, len(indices)))]:
            future.result()
