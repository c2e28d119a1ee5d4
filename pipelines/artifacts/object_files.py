"""The objects below an address, through fsspec: made once, read whole, listed, removed.

What goes wrong has three names here: ``FileNotFoundError`` for an object that is not there,
``ObjectStoreError`` for what its user has to set right, ``ObjectStoreAwayError`` for the rest. None
of them repeats a back end's own words, which may hold who asked and with what.
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
from pipelines.artifacts.object_address import ObjectAddress
from pipelines.errors import ObjectStoreAwayError, ObjectStoreError
from pipelines.sentences import object_stores as say

MODIFIED = ("LastModified", "last_modified", "updated", "mtime")
"""What the back ends call the time of an object."""
AT_ONCE: dict[str, dict[str, Any]] = {"s3": {"max_concurrency": 1}}
"""What has a back end read an object by one request. s3fs would ask for its size first, and list a
folder where it is not there: half of all requests, where mirrors look what others have told."""


class ObjectFact(NamedTuple):
    """An object: its name below the address, its size, when it was last written."""

    name: str
    num_bytes: int
    modified: float


class ObjectFiles:
    """The objects below one address; fsspec and its back end are imported at the first use."""

    def __init__(self, address: ObjectAddress) -> None:
        address.require_package()
        self.address = address
        self._system: Any = None
        self._root = address.root

    @property
    def place(self) -> str:
        return self.address.place

    def create(self, name: str, content: bytes) -> bool:
        """Make an object, unless there is one of that name: False then."""
        if self._is_folder:
            return self._name_first(name, content)
        with self._writing():
            try:
                self._fs.pipe_file(self._path(name), content, mode="create")
            except FileExistsError:
                return False
        return True

    def create_from(self, name: str, source: Path) -> bool:
        """The same with what a file holds."""
        if self._is_folder:
            return self._name_first(name, source)
        with self._writing():
            try:
                self._fs.put_file(str(source), self._path(name), mode="create")
            except FileExistsError:
                return False
        return True

    def write(self, name: str, content: bytes) -> None:
        """Make an object, or make it anew."""
        with self._writing():
            if not self._is_folder:
                self._fs.pipe_file(self._path(name), content)
                return
            self._made(name).write_bytes(content)

    def write_from(self, name: str, source: Path) -> None:
        """The same with what a file holds."""
        with self._writing():
            if not self._is_folder:
                self._fs.put_file(str(source), self._path(name))
                return
            with replacing(self._made(name), durably=True) as temporary:
                _copy(source, temporary)

    def read(self, name: str) -> bytes:
        """Raises ``FileNotFoundError``."""
        with self._asking():
            at_once = AT_ONCE.get(self.address.protocol, {})
            return bytes(self._fs.cat_file(self._path(name), **at_once))

    def fetch(self, name: str, target: Path) -> None:
        """Copy an object into a file; raises ``FileNotFoundError``, ``OSError`` for a full disk."""
        with self._asking():
            self._fs.get_file(self._path(name), str(target))

    def num_bytes(self, name: str) -> int | None:
        """The size of an object; None where it is not there."""
        with self._asking(), suppress(FileNotFoundError):
            return int(self._fs.info(self._path(name))["size"])
        return None

    def listed(self, folder: str) -> list[ObjectFact]:
        """Everything below a folder."""
        start = len(self._root) + 1
        with self._asking(), suppress(FileNotFoundError):
            found = self._fs.find(self._path(folder), detail=True)
            return [
                ObjectFact(path[start:], int(facts["size"]), _modified(facts))
                for path, facts in found.items()
            ]
        return []

    def remove(self, name: str) -> None:
        """Remove an object, or a folder with all in it; what is not there is removed."""
        with self._asking(), suppress(FileNotFoundError):
            self._fs.rm(self._path(name), recursive=True)

    @property
    def _is_folder(self) -> bool:
        return self.address.protocol == "file"

    @property
    def _fs(self) -> Any:
        if self._system is None:
            system, self._root = self.address.open()
            self._system = system  # last: threads may ask at once
        return self._system

    def _path(self, name: str) -> str:
        assert self._fs is not None  # it says what the root is
        return f"{self._root}/{name}"

    def _made(self, name: str) -> Path:
        path = Path(self.address.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _name_first(self, name: str, content: bytes | Path) -> bool:
        """Files have no puts that succeed whole or not at all: they get their name last."""
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
            # While it is read from, the disk that is full is this machine's.
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
    found = next((facts[name] for name in MODIFIED if facts.get(name) is not None), 0.0)
    if isinstance(found, str):
        found = datetime.fromisoformat(found)
    return found.timestamp() if isinstance(found, datetime) else float(found)
