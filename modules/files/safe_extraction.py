"""Writing what an archive holds: each name checked, each byte counted."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from modules.errors import InvalidDatasetError
from modules.files.names import printable

_CHUNK_BYTES = 2**20
_BAD_NAME_ERRORS = {errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL}


class Limits(Protocol):
    """How much may be written."""

    @property
    def num_files(self) -> int: ...
    @property
    def num_bytes(self) -> int: ...
    @property
    def ratio(self) -> float: ...
    @property
    def free_bytes(self) -> int: ...


def refuse(archive_name: str, fault: str, cure: str) -> InvalidDatasetError:
    """The error of an archive that is not taken."""
    return InvalidDatasetError(
        f"The archive {printable(archive_name)} {fault}.", cure=cure, parameter="source"
    )


class ArchiveWriter:
    """Puts files below ``folder``, within limits; names that lead elsewhere are refused."""

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
        self._folder = folder
        self._limits = limits
        self._packed_bytes = max(packed_bytes, 1)
        self._report = report
        self._num_entries = 0
        self._next_number: dict[Path, int] = {}

    def unsafe(self, name: str, what: str) -> InvalidDatasetError:
        """The error for an entry that no data set needs: a link, a device, a way out."""
        return refuse(
            self.archive_name,
            f"is not safe: {printable(name)[:200]!r} is {what}",
            "Make it again with plain files and folders only.",
        )

    def add_folder(self, name: str) -> None:
        """Make a folder, also one that stays empty."""
        self._count_entry()
        self._make_folder(self._place(name), name)

    def add_file(self, name: str, content: IO[bytes]) -> None:
        """Write a file piece by piece; it never replaces another one."""
        self._count_entry()
        path = self._place(name)
        if path == self._folder:
            raise self.unsafe(name, "no usable name")
        self._make_folder(path.parent, name)
        with self._create(path, name) as file:
            while chunk := content.read(_CHUNK_BYTES):
                self.num_bytes += len(chunk)
                self.allow_bytes_read(self.num_bytes)
                file.write(chunk)
        self.num_files += 1
        if self._report is not None:
            self._report(self.num_files)

    def allow_bytes_read(self, num_bytes: int) -> None:
        """Raise where that many unpacked bytes are more than the archive may hold."""
        if num_bytes > self._limits.num_bytes:
            raise refuse(
                self.archive_name,
                f"holds more than {self._limits.num_bytes:,} bytes",
                "Split it into smaller ones, or unpack it yourself and give the folder.",
            )
        allowed = max(self._limits.free_bytes, self._limits.ratio * self._packed_bytes)
        if num_bytes > allowed:
            raise refuse(
                self.archive_name,
                f"unpacks to more than {self._limits.ratio:,.0f} times its size, as bombs do",
                "If you trust it, unpack it yourself and give the folder.",
            )

    def _count_entry(self) -> None:
        self._num_entries += 1
        if self._num_entries > self._limits.num_files:
            raise refuse(
                self.archive_name,
                f"holds more than {self._limits.num_files:,} files",
                "Split it into smaller ones, or unpack it yourself and give the folder.",
            )

    def _place(self, name: str) -> Path:
        """Where an entry goes; backslashes are separators, as archives of Windows have them."""
        parts = PurePosixPath(printable(name).replace("\\", "/")).parts
        if "\0" in name:
            raise self.unsafe(name, "no usable name")
        if parts and (parts[0].startswith("/") or re.match(r"[A-Za-z]:", parts[0])):
            raise self.unsafe(name, "an absolute path")
        if ".." in parts:
            raise self.unsafe(name, "a path that leads out of the archive")
        return self._folder.joinpath(*parts)

    def _make_folder(self, folder: Path, name: str) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._explained(error, name) from error

    def _create(self, path: Path, name: str) -> IO[bytes]:
        """A new file, by another name where the disk takes this one for one that is there."""
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
            return self.unsafe(name, f"a name this disk cannot hold ({error.strerror})")
        return error
