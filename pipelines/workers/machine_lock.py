"""Lock that gives a machine to one step at a time where no scheduler does.

It belongs to a user and a machine, even in a temporary folder that machines share, and is released
when the process that holds it ends.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Self

from modules.files.json_files import JsonObject, read_if_valid
from modules.operating_system.locks import try_lock
from modules.operating_system.processes import ProcessIdentity


def own_folder() -> Path:
    """Return this user's folder for temporary files on this machine.

    Raises ``PermissionError`` if another user has created it.
    """
    folder = Path(tempfile.gettempdir()) / f"designer-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    # including a link of another user to one of this user's folders
    if folder.lstat().st_uid != os.getuid():
        raise PermissionError(f"{folder} is another user's")
    return folder


class MachineLock:
    """Lock of this machine; leaving the ``with`` block releases it."""

    def __init__(self) -> None:
        self.path = own_folder() / f"machine-{platform.node()}.lock"
        self._file = self.path.open("a+", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def take(self, spec_path: Path) -> bool:
        """Acquire the machine for a step if it is free; return whether it was."""
        if not try_lock(self._file):
            return False
        own = ProcessIdentity.of()
        facts = {"spec": str(spec_path), "pid": own.pid, "started": own.started, "boot": own.boot}
        with suppress(OSError):  # its disk is full: the agent reports that
            self._file.truncate(0)
            self._file.write(json.dumps(facts))
            self._file.flush()
        return True

    def is_free(self) -> bool:
        """Return whether no process holds it at this moment."""
        with self.path.open("a+") as file:
            return try_lock(file)

    def holder(self, spec_path: Path) -> ProcessIdentity | None:
        """Return the process that holds it for a step; None if it is free."""
        facts: JsonObject = read_if_valid(self.path) or {}
        if facts.pop("spec", None) != str(spec_path):
            return None
        process = ProcessIdentity(**facts)
        return process if process.is_alive else None
