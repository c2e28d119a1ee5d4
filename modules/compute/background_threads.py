"""Threads for what goes on beside a step: they use the time that the step leaves.

A step's own threads meet in every layer; one that lost its core to a decoder holds up all others.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

NICENESS = 10


def background_pool(num_threads: int, name: str) -> ThreadPoolExecutor:
    """A pool whose threads give way to the others of this process, where the system can do that."""
    return ThreadPoolExecutor(num_threads, name, initializer=_give_way)


def _give_way() -> None:
    # Only Linux has a niceness of single threads; elsewhere it would be that of the process.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(
                os.PRIO_PROCESS, thread, max(NICENESS, os.getpriority(os.PRIO_PROCESS, thread))
            )
