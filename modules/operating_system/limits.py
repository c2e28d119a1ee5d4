"""Resource limits of a process."""

from __future__ import annotations

import importlib
import os


def limit_memory(num_bytes: int) -> None:
    """Limit the memory of this process and its children, and disable core dumps.

    Nothing is limited if the system has no such limits (Windows).
    """
    try:
        resource = importlib.import_module("resource")
    except ImportError:
        return
    for kind, wanted in ((resource.RLIMIT_DATA, num_bytes), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (limit, limit))


def be_nice(niceness: int) -> None:
    """Lower the priority of this process: the higher (1 to 19), the lower; 0 changes nothing."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
