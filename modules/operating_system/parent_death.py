"""Children that end with their parent."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from functools import cache

from modules.operating_system.process_table import IS_LINUX
from modules.operating_system.processes import ProcessIdentity
from modules.operating_system.signals import KILL

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.5


def die_with_parent(parent_pid: int, how: signal.Signals = KILL) -> None:
    """Let the kernel send this process a signal when the thread that forked it ends.

    Call it first thing in a child. If the kernel does not support it (not Linux), a thread checks
    for the parent every ``POLL_SECONDS``.
    """
    if IS_LINUX:
        set_process_option(PR_SET_PDEATHSIG, how)
    else:
        threading.Thread(target=_watch_parent, args=(parent_pid,), daemon=True).start()
    if os.getppid() != parent_pid:  # it ended before the call above
        os._exit(1)


def set_process_option(option: int, value: int) -> None:
    """Call ``prctl(2)`` of Linux for this process; kernels ignore unknown options."""
    _libc().prctl(option, value)


def process_option(option: int) -> int:
    """Return a number that ``prctl(2)`` of Linux stores for this process; 0 if it is unknown."""
    value = ctypes.c_int(0)
    _libc().prctl(option, ctypes.byref(value))
    return value.value


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _watch_parent(parent_pid: int) -> None:
    parent = ProcessIdentity.find(parent_pid)  # Windows may assign its pid to another process later
    while os.getppid() == parent_pid and parent is not None and parent.is_alive:
        time.sleep(POLL_SECONDS)
    os.kill(os.getpid(), KILL)
