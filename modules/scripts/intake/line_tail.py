"""New lines of a growing text file."""

from __future__ import annotations

import os
import re
from pathlib import Path

MAX_LINE_BYTES = 16_384
"""Maximum length of a line: lines with metrics are shorter."""
LINE_END = re.compile(rb"[\r\n]+")
"""Line ends; progress bars rewrite their line, and each state counts."""


class LineTail:
    """Reader of complete lines that were added since the last call."""

    def __init__(self, path: Path) -> None:
        """Follow ``path``, which may be created later."""
        self._path = path
        self._offset = 0

    def pass_over(self) -> None:
        """Skip the existing content."""
        self._offset = self._path.stat().st_size if self._path.is_file() else 0

    def read(self, most_bytes: int, *, is_last: bool = False) -> list[str]:
        """Return new lines of about ``most_bytes``; if ``is_last``, also an incomplete line."""
        try:
            with self._path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._offset = 0  # the file was rewritten
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
    """Return the lines at the end of a file, about ``most_bytes``; raises ``OSError``."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - most_bytes))
        content = file.read(most_bytes)
    return _lines(content)[size > most_bytes :]  # the first line may be incomplete


def _lines(content: bytes) -> list[str]:
    lines = LINE_END.split(content)
    return [line[:MAX_LINE_BYTES].decode("utf-8", "replace") for line in lines if line]
