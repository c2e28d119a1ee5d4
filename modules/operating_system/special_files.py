"""Special files: pipes and devices behind a name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

STANDARD_INPUT = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})
"""Names of standard input, which is a pipe in ``cat digits.json | designer run -``."""
FLAGS = [getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")]


def open_without_waiting(path: Path) -> BinaryIO:
    """Open a file for reading; if it is a pipe, do not wait for a writer."""
    flags = 0
    for flag in FLAGS:
        flags |= flag
    return open(os.open(path, flags), "rb")


def is_standard_input(path: Path) -> bool:
    """Return True for a name of standard input; a file of the name ``-`` is ``./-``."""
    return str(path) in STANDARD_INPUT
