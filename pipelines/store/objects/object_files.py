"""Objects below an address, through fsspec: create, read, list, remove.

Errors: ``FileNotFoundError`` for a missing object, ``ObjectStoreError`` for what the user must
correct, ``ObjectStoreAwayError`` for the rest. None of them repeats a driver's message, which may
contain credentials.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from errno import EDQUOT, ENOSPC
from pathlib import Path
from typing import Any, NamedTuple

from modules.files.object_places import is_refusal, reason_of_failure
from modules.files.whole_files import replacing
from modules.operating_system.files import name_first
from pipelines.errors import ObjectStoreAwayError, ObjectStoreError
from pipelines.sentences import object_stores as say
from pipelines.store.objects.object_address import ObjectAddress

MODIFIED = ("LastModified", "last_modified", "updated", "mtime")
"""Names of an object's modification time in the drivers."""
AT_ONCE: dict[str, dict[str, Any]] = {"s3": {"max_concurrency": 1}}
"""Option with which a driver reads an object by one request. s3fs would query its size first, and
list a folder if it is missing: half of all requests of mirrors that poll."""


class ObjectFact(NamedTuple):
    """Object: its name below the address, size and modification time."""

    name: str
    num_bytes: int
    modified: float


class ObjectFiles:
    """Objects below one address; fsspec and its driver are imported on first use."""

    def __init__(self, address: ObjectAddress) -> None:
        address.require_package()
        self.address = address
        self._system: Any = None
        self._root = address.root

    @property
    def place(self) -> str:
        return self.address.place

    def create(self, name: str, content: bytes) -> bool:
        """Create an object; return False if it exists."""
        if self._is_folder:
            return self._name_first(name, content)
        with self._writing():
            try:
                self._fs.pipe_file(self._path(name), content, mode="create")
            except FileExistsError:
                return False
        return True

    def create_from(self, name: str, source: Path) -> bool:
        """Create an object from a file; return False if it exists."""
        if self._is_folder:
            return self._name_first(name, source)
        with self._writing():
            try:
                self._fs.put_file(str(source), self._path(name), mode="create")
            except FileExistsError:
                return False
        return True

    def write(self, name: str, content: bytes) -> None:
        """Create or overwrite an object."""
        with self._writing():
            if not self._is_folder:
                self._fs.pipe_file(self._path(name), content)
                return
            self._made(name).write_bytes(content)

    def write_from(self, name: str, source: Path) -> None:
        """Create or overwrite an object from a file."""
        with self._writing():
            if not self._is_folder:
                self._fs.put_file(str(source), self._path(name))
                return
            with replacing(self._made(name), durably=True) as temporary:
                _copy(source, temporary)

    def read(self, name: str) -> bytes:
        """Return the content of an object. Raises ``FileNotFoundError``."""
        with self._asking():
            at_once = AT_ONCE.get(self.address.protocol, {})
            return bytes(self._fs.cat_file(self._path(name), **at_once))

    def fetch(self, name: str, target: Path) -> None:
        """Download an object into a file.

        Raises ``FileNotFoundError``, ``OSError`` for a full disk.
        """
        with self._asking():
            self._fs.get_file(self._path(name), str(target))

    def num_bytes(self, name: str) -> int | None:
        """Return the size of an object; None if it does not exist."""
        with self._asking(), suppress(FileNotFoundError):
            return int(self._fs.info(self._path(name))["size"])
        return None

    def listed(self, folder: str) -> list[ObjectFact]:
        """Return all objects below a folder."""
        start = len(self._root) + 1
        with self._asking(), suppress(FileNotFoundError):
            facts_by_path = self._fs.find(self._path(folder), detail=True)
            return [
                ObjectFact(path[start:], int(facts["size"]), _modified(facts))
                for path, facts in facts_by_path.items()
            ]
        return []

    def remove(self, name: str) -> None:
        """Remove an object or a folder; a missing one counts as removed."""
        with self._asking(), suppress(FileNotFoundError):
            self._fs.rm(self._path(name), recursive=True)

    @property
    def _is_folder(self) -> bool:
        return self.address.protocol == "file"

    @property
    def _fs(self) -> Any:
        if self._system is None:
            system, self._root = self.address.open()
            self._system = system  # last: threads may call it at once
        return self._system

    def _path(self, name: str) -> str:
        assert self._fs is not None  # it reveals what the root is
        return f"{self._root}/{name}"

    def _made(self, name: str) -> Path:
        path = Path(self.address.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _name_first(self, name: str, content: bytes | Path) -> bool:
        """Write under a temporary name first: local files have no atomic puts."""
        with self._writing():
            path = self._made(name)
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
            try:
                if isinstance(content, bytes):
                    temporary.write_bytes(content)
                else:
                    _copy(content, temporary)
                _sync(temporary)
                return name_first(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._asking(is_writing=True):
                yield
        except FileNotFoundError:
            raise ObjectStoreError(say.NO_BUCKET, place=self.place) from None

    @contextmanager
    def _asking(self, *, is_writing: bool = False) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, ObjectStoreError):
            raise
        except Exception as error:
            # While the store is read, the full disk is this machine's.
            if not is_writing and getattr(error, "errno", None) in (ENOSPC, EDQUOT):
                raise
            raise self._explained(error) from None

    def _explained(self, error: Exception) -> ObjectStoreError:
        if is_refusal(error):
            return ObjectStoreError(say.REFUSED, place=self.place, why=type(error).__name__)
        return ObjectStoreAwayError(self.place, reason_of_failure(error))


def _copy(source: Path, target: Path) -> None:
    import shutil

    shutil.copyfile(source, target)


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _modified(facts: dict[str, Any]) -> float:
    value = next((facts[name] for name in MODIFIED if facts.get(name) is not None), 0.0)
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    return value.timestamp() if isinstance(value, datetime) else float(value)
