"""The files that carry what a step tells: each rank appends lines of JSON, the runner reads on.

Files, not pipes: the runner may die and another one find everything there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from modules.files.redaction import Redaction


class EventFile:
    """Lines of JSON that one rank appends and the runner reads while it grows."""

    def __init__(self, path: Path, redaction: Redaction | None = None) -> None:
        """``redaction`` takes out what nobody may read there."""
        self._path = path
        self._redaction = redaction or Redaction()
        self._file: TextIO | None = None

    def emit(self, event: dict[str, Any]) -> None:
        """Append an event; a full disk must not end a step that could still finish."""
        try:
            if self._file is None:
                self._file = self._path.open("a", encoding="utf-8", buffering=1)
            self._file.write(json.dumps(self._redaction.told(event), default=str) + "\n")
        except OSError:
            self._file = None


MOST_BYTES = 2**20
"""Of events that are taken in at once: some ten thousand points of a curve."""


class EventTail:
    """Reads the event files of one attempt as they grow, whole lines only.

    A module may tell faster than events are recorded: what is not read yet waits on the disk.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        """``paths``: one file a rank; those that are not there yet may come."""
        self._offsets = dict.fromkeys(paths, 0)
        self.is_behind = False
        """True where the last call left lines for the next one."""

    def read(self) -> list[dict[str, Any]]:
        """What was written since the last call, about ``MOST_BYTES`` of each rank at most."""
        found: list[dict[str, Any]] = []
        self.is_behind = False
        missing: set[Path] = set()
        for path, offset in self._offsets.items():
            try:
                with path.open("rb") as file:
                    file.seek(offset)
                    text = file.read(MOST_BYTES)
                    is_all = len(text) < MOST_BYTES
                    if b"\n" not in text:  # one event longer than that
                        text += file.readline()
            except FileNotFoundError:  # this rank has told nothing yet
                missing.add(path.parent)
                continue
            end = text.rfind(b"\n") + 1  # the line being written is read once it is whole
            self.is_behind |= end > 0 and not is_all
            self._offsets[path] = offset + end
            found.extend(event for line in text[:end].splitlines() if (event := _parse(line)))
        for folder in missing:
            with suppress(OSError):
                os.listdir(folder)  # else NFS goes on saying for a while that a file is not there
        return found

    def rest(self) -> list[dict[str, Any]]:
        """All that was written since, where nobody writes on."""
        found = self.read()
        while self.is_behind:
            found += self.read()
        return found


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("kind"), str) else None
