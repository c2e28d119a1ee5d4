"""Event files of a step: each rank appends lines of JSON, and the runner tails them.

Files rather than pipes, so that a new runner can continue after a crash.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from modules.context import Report
from modules.files.redaction import Redaction


class EventFile:
    """File of JSON lines that one rank appends to while the runner reads it."""

    def __init__(self, path: Path, redaction: Redaction | None = None) -> None:
        """Open the file; ``redaction`` removes secrets from events."""
        self._path = path
        self._redaction = redaction or Redaction()
        self._file: TextIO | None = None

    def emit(self, event: Report) -> None:
        """Append an event; a full disk must not end a step that could still finish."""
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="utf-8", buffering=1)
            self._file.write(json.dumps(self._redaction.json(event), default=str) + "\n")
        except OSError:
            self._file = None


MOST_BYTES = 2**20
"""Limit for one read, some ten thousand points of a curve."""


class EventTail:
    """Reader of the event files of one attempt, which returns complete lines only.

    A module may report faster than events are stored: unread events stay on the disk.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        """Tail one file per rank; ``paths`` need not exist yet."""
        self._offsets = dict.fromkeys(paths, 0)
        self.is_behind = False
        """True if the last call left unread lines."""

    def read(self) -> list[Report]:
        """Return the events since the last call, up to about ``MOST_BYTES`` per rank."""
        events: list[Report] = []
        self.is_behind = False
        missing: set[Path] = set()
        for path, offset in self._offsets.items():
            try:
                with path.open("rb") as file:
                    file.seek(offset)
                    text = file.read(MOST_BYTES)
                    is_all = len(text) < MOST_BYTES
                    if b"\n" not in text:  # one event that is longer
                        text += file.readline()
            except FileNotFoundError:  # this rank has not reported yet
                missing.add(path.parent)
                continue
            end = text.rfind(b"\n") + 1  # an incomplete line is read when it is finished
            self.is_behind |= end > 0 and not is_all
            self._offsets[path] = offset + end
            events.extend(event for line in text[:end].splitlines() if (event := _parse(line)))
        for folder in missing:
            with suppress(OSError):
                os.listdir(folder)  # otherwise NFS caches that the file does not exist
        return events

    def rest(self) -> list[Report]:
        """Return all remaining events, once no rank writes any more."""
        events = self.read()
        while self.is_behind:
            events += self.read()
        return events


def _parse(line: bytes) -> Report | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("kind"), str) else None
