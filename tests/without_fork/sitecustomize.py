"""Loaded by each Python process whose path begins with this folder: takes away what Windows lacks.

Forks, sessions and groups of processes, POSIX locks, limits and timers are gone; ``/proc`` is not
looked at; locks are those of ``msvcrt``, of which a small likeness stands here.
"""

import fcntl
import os
import signal
import subprocess  # noqa: F401  # it takes a system that has msvcrt for Windows: so, first
import sys
import sysconfig
from types import ModuleType

import psutil  # noqa: F401  # needs what is taken away

_lock, _exclusive = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB


def _locking(descriptor: int, mode: int, num_bytes: int) -> None:
    """As on Windows: whoever finds the bytes locked is refused."""
    assert (mode, num_bytes) == (2, 1)
    try:
        _lock(descriptor, _exclusive)
    except BlockingIOError:
        raise PermissionError(13, "Permission denied") from None


_likeness = ModuleType("msvcrt")
_likeness.__dict__.update(locking=_locking, LK_NBLCK=2)
sys.modules.update({"msvcrt": _likeness, "fcntl": None, "resource": None})  # type: ignore[dict-item]
sysconfig.get_config_vars()  # read once, from a file named for the platform
sys.platform = "linux-like"  # libraries see Linux, and what asks for exactly that something else
for _holder, _names in {
    os: ("fork", "forkpty", "setsid", "killpg", "nice", "sched_getaffinity", "pidfd_open"),
    signal: ("SIGALRM", "setitimer", "sigtimedwait", "pthread_sigmask", "pidfd_send_signal"),
}.items():
    for _name in _names:
        if hasattr(_holder, _name):
            delattr(_holder, _name)
