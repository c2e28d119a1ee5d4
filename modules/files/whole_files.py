"""Files that are whole whenever they are read: written under another name, then renamed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.operating_system.files import replace


@contextmanager
def replacing(path: Path, *, durably: bool = False) -> Iterator[Path]:
    """A place in the same folder for new contents, which take the file's name in the end.

    Where the block raises, the file stays as it was and nothing is left over. ``durably``: after a
    crash of the machine too the file is whole or absent. Any number of processes may replace a
    file at once; the last one counts.
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
