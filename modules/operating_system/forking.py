"""Forked processes: ready within milliseconds, with everything that their parent has loaded."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NoReturn

from modules.operating_system.processes import descendants, kill_all
from modules.operating_system.signals import KILL


def can_fork() -> bool:
    """Return True if processes can fork: Windows cannot, and macOS' libraries do not support it."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def fork(run: Callable[[], NoReturn]) -> int:
    """Return the pid of a child that calls ``run`` and never returns from it."""
    pid = os.fork()
    if pid == 0:
        try:
            run()
        finally:
            os._exit(1)
    return pid


def continue_in_child() -> None:
    """Continue in a child of this process, which exits, so that its parent need not wait for it."""
    if can_fork() and os.fork():
        os._exit(0)


def lead_group() -> None:
    """Start a process group, which can be ended together."""
    os.setsid()


def kill_group(pid: int) -> None:
    """Kill the rest of the group that a process leads; without groups, its family."""
    if not hasattr(os, "killpg"):
        kill_all(descendants(pid))
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, KILL)


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a group, by its leader; without groups, only to the leader."""
    send = getattr(os, "killpg", os.kill)
    with suppress(OSError):  # it has ended
        send(pid, number)


def exit_code_of(pid: int) -> int | None:
    """Return the exit code of a child, or minus its signal; None while it runs."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def wait_for_child() -> tuple[int, int]:
    """Wait for a child to end; return its pid and exit code, or minus its signal."""
    pid, status = os.wait()
    return pid, os.waitstatus_to_exitcode(status)


def ended_children() -> Iterator[tuple[int, int]]:
    """Reap each child that has ended; return its pid and exit code, or minus the signal."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def wake_at_ends_of_children(descriptor: int) -> None:
    """Write a byte to a non-blocking pipe whenever a child ends."""
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)


def ignore_ends_of_children() -> None:
    """Undo, in a child, the effect of ``wake_at_ends_of_children``."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def leave(code: int) -> NoReturn:
    """Exit at once, without the cleanup that torch can crash in.

    ``code`` is the exit code, or minus the signal to emulate.
    """
    with suppress(OSError):  # its log may be on a full disk
        sys.stdout.flush()
        sys.stderr.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
