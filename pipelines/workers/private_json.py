"""JSON file that only its user can read and that several processes change."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from modules.files.json_files import JsonObject
from modules.files.whole_files import replacing
from modules.operating_system import locks


class PrivateJson:
    """JSON object in a file of mode 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> JsonObject:
        """Return the object; an empty one if there is no file."""
        with suppress(FileNotFoundError):
            return dict(json.loads(self._path.read_text(encoding="utf-8")))
        return {}

    @contextmanager
    def changing(self) -> Iterator[JsonObject]:
        """Yield the object for changes; if it has changed, write it durably after the block.

        Other processes are locked out meanwhile. An empty object leaves no file. Raises
        ``OSError``.
        """
        with self._path.with_suffix(".lock").open("w") as file:
            locks.lock(file)
            content = self.read()
            before = json.dumps(content)
            yield content
            if not content:
                self._path.unlink(missing_ok=True)
            elif json.dumps(content) != before:
                self._write(content)

    def _write(self, content: JsonObject) -> None:
        with replacing(self._path, durably=True) as fresh:
            flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
            with open(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
                json.dump(content, file)
