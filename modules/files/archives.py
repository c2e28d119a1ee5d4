"""Extraction of untrusted archives: nothing outside the target, and within limits.

Zip, tar, tar.gz, tar.bz2 and tar.xz, distinguished by their content. Sizes in headers are not
trusted: files and bytes are counted while they are written. The target appears only when it is
complete.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple, cast

from modules.errors import InvalidDatasetError, ModuleError
from modules.files.archive_kinds import ACCEPTED, is_tar_header, kind_of_file, require_archive
from modules.files.disk import disk_errors, scratch_folder
from modules.files.safe_extraction import ArchiveWriter, refuse
from modules.files.tar_archives import END_OF_TAR, GuardedStream
from modules.files.zip_archives import extract_zip, named_entries
from modules.sentences import files as say
from modules.sentences.sentence import Statement, said_by


@dataclass(frozen=True)
class ExtractionLimits:
    """Limits of the contents of an archive."""

    num_files: int = 2_000_000
    num_bytes: int = 500 * 2**30
    ratio: float = 200.0
    """Unpacked bytes for each packed byte."""
    free_bytes: int = 64 * 2**20
    """Unpacked bytes below which the ratio is not checked."""


DEFAULT_LIMITS = ExtractionLimits()


class Extraction(NamedTuple):
    """The result of an extraction; ``renamed`` lists names numbered to avoid a conflict."""

    num_files: int
    num_bytes: int
    renamed: tuple[str, ...]
    encoding: str | None = None
    """Encoding of the names, if it had to be detected."""


def extract_archive(
    archive: Path,
    folder: Path,
    limits: ExtractionLimits = DEFAULT_LIMITS,
    report: Callable[[int], None] | None = None,
) -> Extraction:
    """Unpack into ``folder``, which must not exist and appears only when it is complete.

    ``report`` is called with the number of files. Raises ``InvalidDatasetError`` for anything
    unreadable, encrypted, unsafe, too big or empty, ``ModuleOutOfMemoryError`` for a full disk.
    """
    kind = require_archive(archive)
    with disk_errors(folder.parent), scratch_folder(folder.parent) as scratch:
        target = scratch / "unpacked"
        target.mkdir()
        packed_bytes = archive.stat().st_size
        writer = ArchiveWriter(archive.name, target, limits, packed_bytes, report)
        with damage_explained(archive):
            _EXTRACTORS[kind](archive, writer)
        if not writer.num_files:
            raise refuse(say.EMPTY_ARCHIVE, archive=archive.name)
        target.rename(folder)
    return Extraction(writer.num_files, writer.num_bytes, tuple(writer.renamed), writer.encoding)


def list_archive(archive: Path) -> list[str] | None:
    """Return the names of the files in an archive, if they are available without unpacking it."""
    try:
        if kind_of_file(archive) == "zip":
            with zipfile.ZipFile(archive) as opened:
                named = named_entries(opened).entries
            return [name for entry, name in named if not entry.is_dir()]
        if kind_of_file(archive) == "tar":
            with tarfile.open(archive, "r:") as tar:
                return [member.name for member in tar if member.isreg() or member.islnk()]
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, tarfile.TarError):
        pass
    return None


def archive_paths(archive: Path) -> list[str] | None:
    """Return the names as paths below a root, with slashes, like those of scanned files."""
    names = list_archive(archive)
    if names is None:
        return None
    return [name.replace("\\", "/").removeprefix("./") for name in names]


_DECODER_ERRORS = (
    EOFError,
    ValueError,
    RuntimeError,
    LookupError,
    ArithmeticError,
    struct.error,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
)


def encoding_notice(archive: Path) -> Statement | None:
    """Return a notice about the encoding that was detected for the names in an archive."""
    try:
        if kind_of_file(archive) != "zip":
            return None
        with zipfile.ZipFile(archive) as opened:
            detected = named_entries(opened).detected
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile):
        return None
    return None if detected is None else say.NAMES_DECODED.about({"encoding": detected})


def has_new_names(archive: Path) -> bool:
    """Return True for a zip archive whose names earlier versions read in another encoding."""
    try:
        if kind_of_file(archive) != "zip":
            return False
        with zipfile.ZipFile(archive) as opened:
            return any(entry.filename != name for entry, name in named_entries(opened).entries)
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, InvalidDatasetError):
        return False


@contextmanager
def damage_explained(archive: Path) -> Iterator[None]:
    """Convert any error of the decoders for damaged bytes to one message."""
    try:
        yield
    except ModuleError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        raise _damaged(archive, error) from error  # bz2 and gzip report "invalid data" this way.
    except _DECODER_ERRORS as error:
        raise _damaged(archive, error) from error


def _damaged(archive: Path, error: Exception) -> InvalidDatasetError:
    return refuse(say.DAMAGED_ARCHIVE, archive=archive.name, error=said_by(error, 100))


def _extract_tar(archive: Path, writer: ArchiveWriter) -> None:
    with archive.open("rb") as file:
        _extract_tar_stream(file, writer)


def _extract_gzip(archive: Path, writer: ArchiveWriter) -> None:
    with gzip.open(archive) as file:
        _extract_tar_stream(cast("IO[bytes]", file), writer)


def _extract_bzip2(archive: Path, writer: ArchiveWriter) -> None:
    with bz2.open(archive) as file:
        _extract_tar_stream(cast("IO[bytes]", file), writer)


def _extract_xz(archive: Path, writer: ArchiveWriter) -> None:
    with lzma.open(archive) as file:
        _extract_tar_stream(cast("IO[bytes]", file), writer)


_EXTRACTORS: dict[str | None, Callable[[Path, ArchiveWriter], None]] = {
    "zip": extract_zip,
    "tar": _extract_tar,
    "gzip": _extract_gzip,
    "bzip2": _extract_bzip2,
    "xz": _extract_xz,
}


def _extract_tar_stream(file: IO[bytes], writer: ArchiveWriter) -> None:
    stream = GuardedStream(file, writer.allow_bytes_read)
    if not is_tar_header(stream.peek_header()):
        raise refuse(say.NO_TAR_INSIDE, archive=writer.archive_name, accepted=ACCEPTED)
    with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tar:
        for member in tar:
            _extract_member(tar, member, writer)
    if stream.last_block != END_OF_TAR:
        raise EOFError(say.NO_END_MARK.about({}))


def _extract_member(tar: tarfile.TarFile, member: tarfile.TarInfo, writer: ArchiveWriter) -> None:
    if member.issym():
        raise writer.unsafe(member.name, say.LINK)
    if member.islnk():
        writer.add_hard_link(member.name, member.linkname)
    elif member.isdir():
        writer.add_folder(member.name)
    elif member.isreg():
        content = tar.extractfile(member)
        assert content is not None
        writer.add_file(member.name, content)
    else:
        raise writer.unsafe(member.name, say.DEVICE)
    tar.members = []  # type: ignore[attr-defined]  # else it keeps every header in memory
