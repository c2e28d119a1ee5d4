"""Signals by what they are for, on systems too that lack some of them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from threading import Timer
from types import FrameType

KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
"""Ends a process that cannot object. On Windows SIGTERM does, as every signal sent there."""
GIVE_UP: signal.Signals = getattr(signal, "SIGUSR1", signal.SIGTERM)
"""Ends a runner whose runs are not to go on with the next one; Windows cannot say so."""

Handler = Callable[[int, FrameType | None], None]


def ignore_interrupts() -> None:
    """Leave Ctrl+C, which a terminal sends to a whole group, to whoever waits for this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def ignore_requests_to_end() -> None:
    """End only of one's own accord, or by a kill."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def is_kill(number: int) -> bool:
    """Whether it is the signal that the system, too, ends processes with."""
    return number == KILL


def call_in(seconds: float, call: Callable[[], None]) -> None:
    """Call something once in a while from now: in the main thread where the system can do that."""
    if not hasattr(signal, "SIGALRM"):
        timer = Timer(seconds, call)
        timer.daemon = True
        timer.start()
        return
    signal.signal(signal.SIGALRM, lambda *_: call())
    signal.setitimer(signal.ITIMER_REAL, seconds)
