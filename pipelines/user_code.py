"""Users' module files that a zygote keeps loaded, so that each host need not load them again."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any

from modules.catalog import Origin, load_module
from modules.spec import Module
from pipelines.processes import die_with_parent

TRIAL_SECONDS = 10.0


class UserCode:
    """What is loaded here, and what was found unfit to be.

    A file is tried in a child first. One that is slow, fails or starts threads is left to the
    hosts: a process that is forked from one with threads may hang.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[Origin, str], Module] = {}
        self._unfit: set[Origin] = set()

    def keep(self, origin: dict[str, Any] | None, module_id: str | None) -> Module | None:
        """The module, loaded here if it is ours or a user's that is fit; None for any other."""
        if origin is None or module_id is None:
            return None
        source = Origin(**origin)
        if (source, module_id) not in self._kept and source not in self._unfit:
            module = _loaded(source, module_id)
            if module is None:
                self._unfit.add(source)
            else:
                self._kept[source, module_id] = module
        return self._kept.get((source, module_id))


def _loaded(origin: Origin, module_id: str) -> Module | None:
    is_ours = origin.kind == "import"
    if is_ours or (sys.platform == "linux" and _is_fit(origin, module_id)):
        # the file may have changed since: hosts then say so, and this process must live on
        with contextlib.suppress(Exception, KeyboardInterrupt):
            return load_module(origin, module_id)
    return None


def _is_fit(origin: Origin, module_id: str) -> bool:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            die_with_parent(parent)
            code = 0 if _loads_quietly(origin, module_id) else 1
        finally:
            os._exit(code)
    deadline = time.monotonic() + TRIAL_SECONDS
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status == 0
        time.sleep(0.002)
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    return False


def _loads_quietly(origin: Origin, module_id: str) -> bool:
    num_threads = len(os.listdir("/proc/self/task"))
    load_module(origin, module_id)
    return len(os.listdir("/proc/self/task")) == num_threads
