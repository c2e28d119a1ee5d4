"""Files that a user names: folders, pipes and devices are refused before they are read.

Standard input is the exception where a command accepts it: ``-``, read up to a limit.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from pathlib import Path
from typing import BinaryIO

from modules.operating_system.special_files import is_standard_input, open_without_waiting
from modules.sentences import files as say


def read_regular_or_input(path: Path, limit: int) -> bytes:
    """Return at most ``limit`` bytes of a regular file or of standard input.

    Raises ``OSError``, also if standard input is closed.
    """
    if not is_standard_input(path):
        return read_regular(path, limit)
    if sys.stdin is None:  # typed as always open
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    return sys.stdin.buffer.read(limit)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading.

    Raises ``OSError`` for everything else: a pipe without a writer would be awaited forever, and a
    device such as ``/dev/zero`` has no end. Its ``strerror`` is a statement then.
    """
    _require_regular(os.stat(path).st_mode)  # before it is opened, which some devices notice
    file = open_without_waiting(path)
    try:
        _require_regular(os.fstat(file.fileno()).st_mode)
    except BaseException:
        file.close()
        raise
    return file


def read_regular(path: Path, limit: int = -1) -> bytes:
    """Return the content of a regular file, at most ``limit`` bytes; raises ``OSError``."""
    with open_regular(path) as file:
        return file.read(limit)


def read_regular_text(path: Path, encoding: str, errors: str = "strict") -> str:
    """Return the text in a regular file, with ``\\n`` at the end of lines; raises ``OSError``."""
    with io.TextIOWrapper(open_regular(path), encoding=encoding, errors=errors) as file:
        return file.read()


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, say.SPECIAL_FILE.about({}))
