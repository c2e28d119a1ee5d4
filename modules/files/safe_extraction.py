"""Writing of the contents of an archive: each name is checked, each byte counted."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from modules.errors import InvalidDatasetError
from modules.files.names import printable
from modules.operating_system.names import is_usable
from modules.sentences import files as say
from modules.sentences.sentence import Sentence

_CHUNK_BYTES = 2**20
_BAD_NAME_ERRORS = {errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL}


class Limits(Protocol):
    """Limits of the data written."""

    @property
    def num_files(self) -> int: ...
    @property
    def num_bytes(self) -> int: ...
    @property
    def ratio(self) -> float: ...
    @property
    def free_bytes(self) -> int: ...


def refuse(sentence: Sentence, *, archive: str, **facts: object) -> InvalidDatasetError:
    """Return the error for an archive that is rejected."""
    facts = {"archive": printable(archive), **facts}
    return InvalidDatasetError(sentence.about(facts), parameter="source")


def unsafe(archive: str, name: str, reason: Sentence, **facts: object) -> InvalidDatasetError:
    """Return the error for an unsafe entry: a link, a device, a path out of the archive."""
    return refuse(
        say.UNSAFE, archive=archive, entry=printable(name)[:200], what=reason.about(facts)
    )


def safe_parts(archive: str, name: str) -> tuple[str, ...]:
    """Return the folders and the name of an entry; raise ``InvalidDatasetError`` if unsafe.

    Backslashes are separators, as archives of Windows have them.
    """
    parts = PurePosixPath(printable(name).replace("\\", "/")).parts
    if "\0" in name:
        raise unsafe(archive, name, say.NO_USABLE_NAME)
    if parts and (parts[0].startswith("/") or re.match(r"[A-Za-z]:", parts[0])):
        raise unsafe(archive, name, say.ABSOLUTE_PATH)
    if ".." in parts:
        raise unsafe(archive, name, say.WAY_OUT)
    if not all(is_usable(part) for part in parts):
        raise unsafe(archive, name, say.NAME_KEPT)
    return parts


class ArchiveWriter:
    """Writer of files below ``folder``, within limits; unsafe names are rejected."""

    def __init__(
        self,
        archive_name: str,
        folder: Path,
        limits: Limits,
        packed_bytes: int,
        report: Callable[[int], None] | None,
    ) -> None:
        self.archive_name = archive_name
        self.num_files = 0
        self.num_bytes = 0
        self.renamed: list[str] = []
        self.encoding: str | None = None
        """Encoding of the names, if it had to be detected."""
        self._folder = folder
        self._limits = limits
        self._packed_bytes = max(packed_bytes, 1)
        self._report = report
        self._num_entries = 0
        self._next_number: dict[Path, int] = {}
        self._made = {folder}
        self._spellings: dict[str, Path] = {}
        """Spelling of folders, by their paths without case."""

    def unsafe(self, name: str, reason: Sentence, **facts: object) -> InvalidDatasetError:
        """Return the error for an unsafe entry: a link, a device, a path out of the archive."""
        return unsafe(self.archive_name, name, reason, **facts)

    def add_folder(self, name: str) -> None:
        """Create a folder, also one that stays empty."""
        self._count_entry()
        self._make_folder(self._place(name), name)

    def add_file(self, name: str, content: IO[bytes]) -> None:
        """Write a file piece by piece; it never replaces another one."""
        self._count_entry()
        path = self._place(name)
        if path == self._folder:
            raise self.unsafe(name, say.NO_USABLE_NAME)
        self._make_folder(path.parent, name)
        with self._create(path, name) as file:
            while chunk := content.read(_CHUNK_BYTES):
                self.num_bytes += len(chunk)
                self.allow_bytes_read(self.num_bytes)
                file.write(chunk)
        self.num_files += 1
        if self._report is not None:
            self._report(self.num_files)

    def add_hard_link(self, name: str, target: str) -> None:
        """Write a copy of an earlier file of the archive."""
        source = self._place(target)
        if source == self._folder or not source.is_file():
            raise self.unsafe(name, say.HARD_LINK_ASTRAY, target=printable(target)[:200])
        with source.open("rb") as content:
            self.add_file(name, content)

    def allow_bytes_read(self, num_bytes: int) -> None:
        """Raise if that many unpacked bytes exceed the limits."""
        if num_bytes > self._limits.num_bytes:
            limit = self._limits.num_bytes
            raise refuse(say.TOO_MANY_BYTES, archive=self.archive_name, limit=limit)
        allowed = max(self._limits.free_bytes, self._limits.ratio * self._packed_bytes)
        if num_bytes > allowed:
            raise refuse(say.BOMB, archive=self.archive_name, ratio=self._limits.ratio)

    def _count_entry(self) -> None:
        self._num_entries += 1
        if self._num_entries > self._limits.num_files:
            limit = self._limits.num_files
            raise refuse(say.TOO_MANY_FILES, archive=self.archive_name, limit=limit)

    def _place(self, name: str) -> Path:
        """Return the target path of an entry."""
        return self._folder.joinpath(*safe_parts(self.archive_name, name))

    def _make_folder(self, folder: Path, name: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._require_one_spelling(folder, name)
        except OSError as error:
            raise self._explained(error, name) from error

    def _require_one_spelling(self, folder: Path, name: str) -> None:
        """Reject classes that this disk would merge: ``Cat`` and ``cat``."""
        while folder not in self._made:
            self._made.add(folder)
            known = self._spellings.setdefault(str(folder).casefold(), folder)
            if known != folder and known.samefile(folder):
                raise self.unsafe(name, say.TWO_SPELLINGS, folder=known.name)
            folder = folder.parent

    def _create(self, path: Path, name: str) -> IO[bytes]:
        """Create a file, under another name if the disk treats the name as an existing one."""
        place = path
        while True:
            try:
                file = place.open("xb")
            except FileExistsError:
                number = self._next_number.get(path, 2)
                self._next_number[path] = number + 1
                place = path.with_name(f"{path.stem}~{number}{path.suffix}")
            except OSError as error:
                raise self._explained(error, name) from error
            else:
                if place != path:
                    self.renamed.append(printable(name))
                return file

    def _explained(self, error: OSError, name: str) -> Exception:
        if error.errno in _BAD_NAME_ERRORS:
            return self.unsafe(name, say.NAME_NOT_TAKEN, error=error.strerror)
        return error
