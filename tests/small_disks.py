"""Disks of a few megabytes, which are really full soon."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk_at(place: Path, num_bytes: int) -> Iterator[Path]:
    """Mount a disk of its own at a new folder; the test is skipped without the right to do so."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={num_bytes}", "tmpfs", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except FileNotFoundError:
        pytest.skip("needs the command mount, which is not here")
    if done.returncode:
        pytest.skip(f"needs the right to mount a disk: {done.stderr.strip()}")
    try:
        yield place
    finally:
        # Lazy, so that a process that still ends cannot keep the mount.
        subprocess.run(["umount", "--lazy", str(place)], timeout=60, check=True)
