"""Processes made by forking: ready within milliseconds, with all that their parent has loaded."""

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
    """Whether processes are forked here: Windows has none, and macOS' libraries do not bear it."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def fork(run: Callable[[], NoReturn]) -> int:
    """The pid of a child that runs this and never comes back from it."""
    pid = os.fork()
    if pid == 0:
        try:
            run()
        finally:
            os._exit(1)
    return pid


def continue_in_child() -> None:
    """Go on in a child of this process, which ends: so nobody is waited for who started it."""
    if can_fork() and os.fork():
        os._exit(0)


def lead_group() -> None:
    """Be the first of a group of processes, which can be ended together."""
    os.setsid()


def kill_group(pid: int) -> None:
    """Kill what is left of the group that a process leads or led; without groups, its family."""
    if not hasattr(os, "killpg"):
        kill_all(descendants(pid))
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, KILL)


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to a group, by the process that leads it; without groups, to that alone."""
    send = getattr(os, "killpg", os.kill)
    with suppress(OSError):  # it has ended
        send(pid, number)


def exit_code_of(pid: int) -> int | None:
    """That of a child, or minus the signal that ended it; None while it runs."""
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def wait_for_child() -> tuple[int, int]:
    """Pid and exit code, or minus the signal, of a child, once one has ended."""
    pid, status = os.wait()
    return pid, os.waitstatus_to_exitcode(status)


def ended_children() -> Iterator[tuple[int, int]]:
    """Of each child that has ended its pid and exit code, or minus the signal; reaped with this."""
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            yield ended[0], os.waitstatus_to_exitcode(ended[1])


def wake_at_ends_of_children(descriptor: int) -> None:
    """Have a byte written to a non-blocking pipe whenever a child ends."""
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)


def ignore_ends_of_children() -> None:
    """Undo, in a child, what its parent has set by ``wake_at_ends_of_children``."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)


def leave(code: int) -> NoReturn:
    """End this process at once, without the tear-down that torch can crash in.

    ``code``: its exit code, or minus the signal that it is to end as if by.
    """
    with suppress(OSError):  # its log may lie on a full disk
        sys.stdout.flush()
        sys.stderr.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)
