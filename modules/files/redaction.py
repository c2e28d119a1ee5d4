"""Redaction: replaces the values of secrets in output, files and events with stars."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

FEWEST_BYTES = 4
"""Minimum length; a shorter value would occur in many other words."""
STAR = b"*"


class Redaction:
    """Replacement of values with stars, one for each byte, so that offsets in a log stay the same.

    A value is found unchanged, as ``repr`` and JSON write it (a traceback escapes line breaks), and
    as one line, as in messages and names.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {form for value in values for form in _written_forms(value)}
        self._values = sorted(forms, key=len, reverse=True)

    def __bool__(self) -> bool:
        return bool(self._values)

    @property
    def margin(self) -> int:
        """Return the maximum bytes by which a value can extend beyond one end of a range."""
        return len(self._values[0]) - 1 if self._values else 0

    def raw(self, content: bytes) -> bytes:
        """Return the content with stars."""
        starred: bytearray | None = None
        for start, end in self._places(content):
            starred = bytearray(content) if starred is None else starred
            starred[start:end] = STAR * (end - start)
        return content if starred is None else bytes(starred)

    def text(self, text: str) -> str:
        """Return the text with stars."""
        return self.raw(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def json(self, content: Any) -> Any:
        """Return JSON content with stars in every text; names of fields stay."""
        if not self._values:
            return content
        if isinstance(content, str):
            return self.text(content)
        if isinstance(content, dict):
            return {name: self.json(value) for name, value in content.items()}
        if isinstance(content, list | tuple):
            return [self.json(item) for item in content]
        return content

    def redact_file(self, path: Path) -> None:
        """Redact a file in place. Raises ``OSError``."""
        if not self._values:
            return
        with path.open("r+b") as file:
            if not file.seek(0, 2):
                return
            with mmap.mmap(file.fileno(), 0) as content:
                # All occurrences are located first: values may overlap, and stars would hide the
                # second.
                for start, end in list(self._places(content)):
                    content[start:end] = STAR * (end - start)

    def read(self, path: Path, start: int, length: int) -> bytes:
        """Return bytes of a file, redacted.

        Values across the ends are redacted too, and so are values that are incomplete at the end of
        the file, as a log is read while it grows.
        """
        before = min(start, self.margin)
        with path.open("rb") as file:
            file.seek(start - before)
            content = file.read(before + length + self.margin)
        starred = self.raw(content)
        if len(content) < before + length + self.margin:
            starred = self.without_begun(content, starred)
        return starred[before : before + length]

    def without_begun(self, content: bytes, starred: bytes) -> bytes:
        """Return ``starred`` with stars also over an incomplete value at its end."""
        begun = self.begun_at(content)
        length = len(content) - begun
        return starred[:begun] + STAR * length if length >= FEWEST_BYTES else starred

    def begun_at(self, content: bytes) -> int:
        """Return the first position from which the content may be an incomplete value."""
        first = len(content)
        for value in self._values:
            place = content.find(value[:1], max(0, len(content) - len(value) + 1), first)
            while place >= 0 and not value.startswith(content[place:]):
                place = content.find(value[:1], place + 1, first)
            first = place if place >= 0 else first
        return first

    def _places(self, content: bytes | mmap.mmap) -> Iterator[tuple[int, int]]:
        """Yield the positions of values; overlapping occurrences are merged."""
        for value in self._values:
            start = end = place = content.find(value)
            while place >= 0:
                if place > end:
                    yield start, end
                    start = place
                end = place + len(value)
                place = content.find(value, place + 1)
            if start >= 0:
                yield start, end


class RedactedStream:
    """Redaction of output that arrives in pieces, wherever they are split.

    Bytes that may be the start of a value are held back until the next piece.
    """

    def __init__(self, redaction: Redaction) -> None:
        self._redaction = redaction
        self._content = b""
        self._num_done = 0
        """Number of bytes of the content that were already returned, kept as context."""

    def feed(self, piece: bytes) -> bytes:
        """Return the output that can be written after this piece."""
        content = self._content + piece
        end = self._redaction.begun_at(content)
        done = self._redaction.raw(content)[self._num_done : end]
        start = max(0, end - self._redaction.margin)
        self._content, self._num_done = content[start:], end - start
        return done

    def rest(self) -> bytes:
        """Return the bytes held back, once nothing more arrives; a later piece starts afresh."""
        content, num_done = self._content, self._num_done
        self._content, self._num_done = b"", 0
        return self._redaction.without_begun(content, self._redaction.raw(content))[num_done:]


def _written_forms(value: str) -> set[bytes]:
    forms = {value, repr(value)[1:-1], json.dumps(value)[1:-1]}
    forms |= {json.dumps(value, ensure_ascii=False)[1:-1], " ".join(value.split())}
    written = {form.encode("utf-8", "surrogatepass") for form in forms}
    return {form for form in written if len(form) >= FEWEST_BYTES}
