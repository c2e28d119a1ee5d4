"""Taking the values of secrets out of what is shown or written down."""

from __future__ import annotations

import mmap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FEWEST_BYTES = 4
"""A shorter value would be found in every other word."""


class Redaction:
    """Writes stars over values, one for each byte: places in a log stay what they are."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._values = sorted((each.encode() for each in values), key=len, reverse=True)

    def raw(self, content: bytes) -> bytes:
        """The same with stars."""
        for value in self._values:
            content = content.replace(value, b"*" * len(value))
        return content

    def text(self, text: str) -> str:
        """The same with stars."""
        return self.raw(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def told(self, content: Any) -> Any:
        """What JSON says, with stars in every text."""
        if not self._values:
            return content
        if isinstance(content, str):
            return self.text(content)
        if isinstance(content, dict):
            return {name: self.told(each) for name, each in content.items()}
        if isinstance(content, list | tuple):
            return [self.told(each) for each in content]
        return content

    def star(self, path: Path) -> None:
        """Write stars over the values in a file, where they stand."""
        with path.open("r+b") as file:
            if not self._values or not file.seek(0, 2):
                return
            with mmap.mmap(file.fileno(), 0) as content:
                for value in self._values:
                    place = content.find(value)
                    while place >= 0:
                        content[place : place + len(value)] = b"*" * len(value)
                        place = content.find(value, place + len(value))

    def read(self, path: Path, start: int, length: int) -> bytes:
        """Bytes of a file.

        A value that lies across their ends has its stars too, and so has one that is only begun
        at the end of the file: a log is read while it grows.
        """
        margin = len(self._values[0]) - 1 if self._values else 0
        before = min(start, margin)
        with path.open("rb") as file:
            file.seek(start - before)
            content = file.read(before + length + margin)
        starred = self.raw(content)
        if len(content) < before + length + margin:
            starred = self._begun(starred)
        return starred[before : before + length]

    def _begun(self, content: bytes) -> bytes:
        """The same with stars where a value's first bytes are its last ones."""
        for value in self._values:
            for length in range(len(value) - 1, FEWEST_BYTES - 1, -1):
                if content.endswith(value[:length]):
                    return content[:-length] + b"*" * length
        return content
