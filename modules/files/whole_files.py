"""Atomic writes: files are written under another name, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.operating_system.files import replace


@contextmanager
def replacing(path: Path, *, durably: bool = False) -> Iterator[Path]:
    """Yield a path in the same folder for new contents, which replaces the file at the end.

    If the block raises, the file stays unchanged and nothing remains. ``durably``: the file is
    complete or absent even after a crash of the machine. Any number of processes may replace a file
    at once; the last one counts.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        yield temporary
        if durably:
            with temporary.open("r+b") as file:
                os.fsync(file.fileno())
        replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
