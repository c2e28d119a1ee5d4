"""How much memory a process and its workers had resident at the most."""

from __future__ import annotations

import os
import re
import resource
import threading
import time
from pathlib import Path

PAUSE_SECONDS = 0.25


class PeakMemory:
    """The peaks of this process and of its children added up; pages they share count in each.

    Children are looked at from ``watch`` on, from time to time, for a loader's workers may end with
    an epoch. Linux is asked by file: what it tells of resources begins, in a process that was
    forked, with the size of the one that forked it.
    """

    def __init__(self) -> None:
        self._kilobytes_of_children = 0
        self._thread: threading.Thread | None = None

    def watch(self) -> None:
        """Begin to look, unless that is under way."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._look_on, daemon=True)
            self._thread.start()

    def megabytes(self) -> float:
        """The peak so far."""
        self._look()
        own = _peak_of("self") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return (own + self._kilobytes_of_children) / 1000

    def _look_on(self) -> None:
        while True:
            self._look()
            time.sleep(PAUSE_SECONDS)

    def _look(self) -> None:
        found = sum(map(_peak_of, _children()))
        self._kilobytes_of_children = max(self._kilobytes_of_children, found)


def _children() -> list[str]:
    """The processes that this one has started and that are alive; none where no one tells."""
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [child for path in found for child in _text(path).split()]


def _peak_of(process: str) -> int:
    """Its peak in kilobytes; 0 where it has just ended, or no one tells."""
    status = _text(Path(f"/proc/{process}/status"))
    peak = re.search(r"^VmHWM:\s*(\d+) kB$", status, flags=re.MULTILINE)
    return int(peak[1]) if peak else 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
