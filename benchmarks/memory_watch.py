"""Peak memory of a command and of the processes it starts, found by a folder in their commands."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PAUSE_SECONDS = 0.3


@dataclass
class Memory:
    """The largest sum so far, in MB."""

    peak: float = 0.0


@contextmanager
def peak_megabytes(folder: Path) -> Iterator[Memory]:
    """Watch processes whose command names ``folder``, and their children.

    Pages that processes share are divided among them (the proportional set size).
    """
    memory, is_over = Memory(), threading.Event()

    def watch() -> None:
        while not is_over.wait(PAUSE_SECONDS):
            memory.peak = max(memory.peak, sum(map(_megabytes, _processes(folder))))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        is_over.set()
        thread.join()


def _processes(folder: Path) -> set[int]:
    """The processes with the folder in their command, this one left out, and their children."""
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    parents = {pid: _parent(pid) for pid in pids}
    found = {pid for pid in pids if str(folder).encode() in _command(pid)} - {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _parent(pid: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return 0


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
        return int(found[1]) / 1000 if found else 0.0
    return 0.0
