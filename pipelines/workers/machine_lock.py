"""A machine for one step at a time, where no scheduler sees to that: a lock of its user's there.

It is the machine's own, also in a folder for temporary files that machines share, and ends with
the process that holds it.
"""

from __future__ import annotations

import json
import os
import platform
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from modules.files.json_files import read_if_valid
from modules.operating_system.locks import try_lock
from modules.operating_system.processes import ProcessIdentity


def own_folder() -> Path:
    """This user's folder on this machine, for what need not last.

    Raises ``PermissionError`` where another user has made it.
    """
    folder = Path(tempfile.gettempdir()) / f"designer-{os.getuid()}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.lstat().st_uid != os.getuid():  # nor a link of theirs to one of ours
        raise PermissionError(f"{folder} is another user's")
    return folder


class MachineLock:
    """The lock of this machine; ``with`` lets go of it."""

    def __init__(self) -> None:
        self.path = own_folder() / f"machine-{platform.node()}.lock"
        self._file = self.path.open("a+", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def take(self, spec_path: Path) -> bool:
        """Hold the machine for a step, where nobody does."""
        if not try_lock(self._file):
            return False
        own = ProcessIdentity.of()
        facts = {"spec": str(spec_path), "pid": own.pid, "started": own.started, "boot": own.boot}
        with suppress(OSError):  # its disk is full: the agent says so
            self._file.truncate(0)
            self._file.write(json.dumps(facts))
            self._file.flush()
        return True

    def is_free(self) -> bool:
        """Whether nobody holds it at this moment."""
        with self.path.open("a+") as file:
            return try_lock(file)

    def holder(self, spec_path: Path) -> ProcessIdentity | None:
        """The process that holds it for a step; None where none does."""
        facts: dict[str, Any] = read_if_valid(self.path) or {}
        if facts.pop("spec", None) != str(spec_path):
            return None
        found = ProcessIdentity(**facts)
        return found if found.is_alive else None
