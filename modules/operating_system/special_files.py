"""Files that are no files: pipes and devices, which a name may lead to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

FLAGS = [getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY")]


def open_without_waiting(path: Path) -> BinaryIO:
    """A file opened to be read; where the name leads to a pipe, nobody is waited for."""
    flags = 0
    for flag in FLAGS:
        flags |= flag
    return open(os.open(path, flags), "rb")
