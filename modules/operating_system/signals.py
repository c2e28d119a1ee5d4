"""Signals by their purpose, also on systems that lack some of them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Timer
from types import FrameType

KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Ends a process that cannot ignore it. On Windows SIGTERM does, like every signal there."""
GIVE_UP: signal.Signals = getattr(signal, "SIGUSR1", signal.SIGTERM)
"""Ends a runner whose runs must not be continued by the next one; not available on Windows."""

Handler = Callable[[int, FrameType | None], None]


def ignore_interrupts() -> None:
    """Ignore Ctrl+C, which a terminal sends to a whole group; the parent handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ignore_requests_to_end() -> None:
    """Ignore requests to end, so that only the process itself or a kill ends it."""
    for number in _requests_to_end():
        signal.signal(number, signal.SIG_IGN)


def is_requested_end(exit_code: int) -> bool:
    """Return True for the exit code of a process that was asked to end by a signal."""
    return -exit_code in _requests_to_end()


def _requests_to_end() -> list[signal.Signals]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def is_kill(number: int) -> bool:
    """Return True for the signal that the system also uses to kill processes."""
    return number == KILL


def call_in(seconds: float, call: Callable[[], None]) -> None:
    """Call a function once after some seconds, in the main thread if the system supports it."""
    if not hasattr(signal, "SIGALRM"):
        timer = Timer(seconds, call)
        timer.daemon = True
        timer.start()
        return
    signal.signal(signal.SIGALRM, lambda *_: call())
    signal.setitimer(signal.ITIMER_REAL, seconds)
