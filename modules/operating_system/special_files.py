"""Special files: pipes and devices behind a name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

FLAGS = [getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")]


def open_without_waiting(path: Path) -> BinaryIO:
    """Open a file for reading; if it is a pipe, do not wait for a writer."""
    flags = 0
    for flag in FLAGS:
        flags |= flag
    return open(os.open(path, flags), "rb")
