"""The lines that a text file gets while it grows."""

from __future__ import annotations

import os
import re
from pathlib import Path

MAX_LINE_BYTES = 16_384
"""What is longer is cut there: no line that tells of a metric is."""
LINE_END = re.compile(rb"[\r\n]+")
"""Progress bars write over their line: each state of it is one."""


class LineTail:
    """Gives the lines that were added since the last look, whole ones only."""

    def __init__(self, path: Path) -> None:
        """``path`` may come into being later."""
        self._path = path
        self._offset = 0

    def pass_over(self) -> None:
        """Leave all that is there."""
        self._offset = self._path.stat().st_size if self._path.is_file() else 0

    def read(self, most_bytes: int, *, is_last: bool = False) -> list[str]:
        """The new lines of about so many bytes; ``is_last``: the line without an end, too."""
        try:
            with self._path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._offset = 0  # it was begun anew
                file.seek(self._offset)
                content = file.read(max(most_bytes, 2 * MAX_LINE_BYTES))
                is_all = not file.read(1)
        except OSError:
            return []
        is_whole = is_last and is_all
        end = len(content) if is_whole else max(content.rfind(b"\n"), content.rfind(b"\r")) + 1
        if not end and len(content) > MAX_LINE_BYTES:
            end = len(content)
        self._offset += end
        return _lines(content[:end])


def last_lines(path: Path, most_bytes: int) -> list[str]:
    """The lines at the end of a file, of about so many bytes; raises ``OSError``."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - most_bytes))
        content = file.read(most_bytes)
    return _lines(content)[size > most_bytes :]  # the first one may be the end of a line


def _lines(content: bytes) -> list[str]:
    lines = LINE_END.split(content)
    return [each[:MAX_LINE_BYTES].decode("utf-8", "replace") for each in lines if each]
