"""Names of files as other systems take them: without regard to case, and on Windows not all."""

from __future__ import annotations

import os
import re
from pathlib import Path

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
MAX_PATH = 259
"""Characters, where Windows' longer paths are not switched on."""
_spellings: dict[str, dict[str, str]] = {}
"""By folder, how each name is spelt, by the name without case."""


def one_spelling(path: object, *_: object) -> None:
    """Raise ``FileExistsError`` for a new name that differs from one that is there in case only."""
    if not isinstance(path, str | os.PathLike):
        return
    folder, name = os.path.split(os.path.abspath(os.fspath(path)))
    if folder not in _spellings:
        _spellings[folder] = {each.casefold(): each for each in _listed(folder)}
    known = _spellings[folder].setdefault(name.casefold(), name)
    if known == name:
        return
    if os.path.lexists(os.path.join(folder, known)):
        raise FileExistsError(17, f"{known!r} is there, which is the same name", str(path))
    _spellings[folder][name.casefold()] = name


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def of_windows(path: object, *_: object) -> None:
    """Raise ``OSError`` for what Windows does not let be made."""
    if not isinstance(path, str | os.PathLike):
        return
    whole = Path(os.path.abspath(os.fspath(path)))
    if RESERVED.fullmatch(whole.name) or FORBIDDEN.search(whole.name):
        raise OSError(22, "Invalid argument", str(path))
    if len(str(whole)) > MAX_PATH:
        raise FileNotFoundError(2, "No such file or directory", str(path))
