"""Errors of the disk, said so that a user can act on them; and whole folders put in place."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.errors import ModuleOutOfMemoryError
from modules.sentences import files as say

_FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Raise ``ModuleOutOfMemoryError`` where the disk of ``folder``, or a quota on it, is full."""
    try:
        yield
    except OSError as error:
        if not is_full(error):
            raise
        raise ModuleOutOfMemoryError(say.DISK_FULL, folder=folder) from error


def is_full(error: OSError) -> bool:
    """True for the errors of a disk, or a quota on it, that has no more room."""
    return error.errno in _FULL


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A new hidden folder in ``parent``, gone afterwards with what is still in it."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".partial-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
