"""Windows does not let an open file, or a folder with one in it, be removed or get another name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress


def refuse_here(path: object, *_: object) -> None:
    """Raise ``PermissionError`` where this process has it open."""
    _refuse(path, ["self"])


def refuse_anywhere(source: object, target: object, *_: object) -> None:
    """The same of two names, and any process."""
    everybody = [each for each in os.listdir("/proc") if each.isdecimal()]
    _refuse(source, everybody)
    if not os.path.isdir(str(target)):
        _refuse(target, everybody)


def _refuse(path: object, processes: list[str]) -> None:
    if not isinstance(path, str | os.PathLike):
        return
    whole = os.path.abspath(os.fspath(path))
    for process in processes:
        for opened in _opened(process):
            if opened == whole or opened.startswith(f"{whole}/"):
                raise PermissionError(13, "The process cannot access the file", str(path))


def _opened(process: str) -> Iterator[str]:
    with suppress(OSError):  # it has ended, or is somebody else's
        for descriptor in os.listdir(f"/proc/{process}/fd"):
            with suppress(OSError):
                yield os.readlink(f"/proc/{process}/fd/{descriptor}")
