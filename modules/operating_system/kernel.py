"""Facts that Linux reports of this process and of the processor; unknown elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

OWN = Path("/proc/self")


def loaded_files() -> list[Path]:
    """Return the files that are mapped into this process, including libraries."""
    try:
        lines = (OWN / "maps").read_text().splitlines()
    except OSError:
        return []
    return [Path(f"/{line.partition('/')[2]}") for line in lines if "/" in line]


def waiting_seconds() -> dict[str, float]:
    """Return the seconds that each thread of this process, by its ID, has waited for a core."""
    seconds = {}
    for folder in (OWN / "task").glob("*"):
        with suppress(OSError):  # the thread has ended
            seconds[folder.name] = int((folder / "schedstat").read_text().split()[1]) / 1e9
    return seconds


def open_descriptors() -> Iterable[int]:
    """Return the open file descriptors; the first ones if the system cannot list them."""
    for listing in (OWN / "fd", Path("/dev/fd")):  # on Linux, on macOS
        with suppress(OSError):
            return [int(name) for name in os.listdir(listing)]
    return range(8192)


def processor_description() -> str:
    """Return Linux's description of the processors; empty on other systems."""
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
