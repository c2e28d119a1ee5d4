"""Unpacking archives that may be hostile: nothing outside the target, nothing without end.

Zip, tar, tar.gz, tar.bz2 and tar.xz, told apart by their content. Sizes in headers are not
believed: files and bytes are counted while they are written. The target appears only when
everything is in it.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import stat
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
from modules.files import database_files
from modules.files.disk import disk_errors, scratch_folder
from modules.files.safe_extraction import ArchiveWriter, refuse
from modules.files.tar_archives import BLOCK_BYTES, END_OF_TAR, GuardedStream
from modules.sentences import files as say
from modules.sentences.sentence import said_by

ACCEPTED = "zip, tar, tar.gz, tar.bz2 or tar.xz"


@dataclass(frozen=True)
class ExtractionLimits:
    """How much an archive may hold."""

    num_files: int = 2_000_000
    num_bytes: int = 500 * 2**30
    ratio: float = 200.0
    """Unpacked bytes for each packed one."""
    free_bytes: int = 64 * 2**20
    """Unpacked bytes up to which the ratio is not asked for."""


DEFAULT_LIMITS = ExtractionLimits()


class Extraction(NamedTuple):
    """What was unpacked; ``renamed`` lists names that met another one and got a number."""

    num_files: int
    num_bytes: int
    renamed: tuple[str, ...]


def require_archive(path: Path) -> str:
    """The kind of an accepted archive by its content; ``InvalidDatasetError`` for other files."""
    kind = _kind(path)
    if kind not in _EXTRACTORS:
        if kind is None:
            raise refuse(say.NO_ARCHIVE, archive=path.name, accepted=ACCEPTED)
        raise refuse(say.OTHER_ARCHIVE, archive=path.name, kind=kind, accepted=ACCEPTED)
    return str(kind)


def extract_archive(
    archive: Path,
    folder: Path,
    limits: ExtractionLimits = DEFAULT_LIMITS,
    report: Callable[[int], None] | None = None,
) -> Extraction:
    """Unpack into ``folder``, which must not exist yet and appears only when all is well.

    ``report`` is told the number of files so far. Raises ``InvalidDatasetError`` for anything
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
    return Extraction(writer.num_files, writer.num_bytes, tuple(writer.renamed))


def list_archive(archive: Path) -> list[str] | None:
    """The names of the files in an archive, where they can be had without unpacking it."""
    try:
        if _kind(archive) == "zip":
            with zipfile.ZipFile(archive) as opened:
                return [each.filename for each in opened.infolist() if not each.is_dir()]
        if _kind(archive) == "tar":
            with tarfile.open(archive, "r:") as tar:
                return [each.name for each in tar if each.isreg()]
    except (OSError, ValueError, RuntimeError, zipfile.BadZipFile, tarfile.TarError):
        pass
    return None


def _kind(path: Path) -> str | None:
    """The kind of archive by its first bytes; None where it is none that is known."""
    if database_files.is_held(path):
        raise InvalidDatasetError(
            say.DATABASE_FILE, file=path, accepted=ACCEPTED, parameter="source"
        )
    try:
        with path.open("rb") as file:
            start = file.read(512)
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FILE, file=path, error=error.strerror, parameter="source"
        ) from error
    for signature, kind in _SIGNATURES.items():
        if start.startswith(signature):
            return kind
    return "tar" if _is_tar_header(start) else None


_SIGNATURES = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"\x1f\x9d": "compress",
    b"MSCF": "cabinet",
}


def _is_tar_header(block: bytes) -> bool:
    if len(block) == BLOCK_BYTES and not any(block):
        return True  # An empty archive is nothing but zeros.
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


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


@contextmanager
def damage_explained(archive: Path) -> Iterator[None]:
    """Turn whatever the decoders raise for broken bytes into one sentence."""
    try:
        yield
    except ModuleError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise
        raise _damaged(archive, error) from error  # bz2 and gzip say "invalid data" this way.
    except _DECODER_ERRORS as error:
        raise _damaged(archive, error) from error


def _damaged(archive: Path, error: Exception) -> InvalidDatasetError:
    return refuse(say.DAMAGED_ARCHIVE, archive=archive.name, error=said_by(error, 100))


def _extract_zip(archive: Path, writer: ArchiveWriter) -> None:
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            if entry.flag_bits & 0x1:
                raise refuse(say.ENCRYPTED_ARCHIVE, archive=archive.name)
            mode = entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                raise writer.unsafe(entry.filename, say.LINK)
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise writer.unsafe(entry.filename, say.DEVICE)
            if entry.is_dir() or entry.filename.endswith("\\"):
                writer.add_folder(entry.filename)
            else:
                with opened.open(entry) as content:
                    writer.add_file(entry.filename, content)


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
    "zip": _extract_zip,
    "tar": _extract_tar,
    "gzip": _extract_gzip,
    "bzip2": _extract_bzip2,
    "xz": _extract_xz,
}


def _extract_tar_stream(file: IO[bytes], writer: ArchiveWriter) -> None:
    stream = GuardedStream(file, writer.allow_bytes_read)
    if not _is_tar_header(stream.peek_header()):
        raise refuse(say.NO_TAR_INSIDE, archive=writer.archive_name, accepted=ACCEPTED)
    with tarfile.open(fileobj=cast("IO[bytes]", stream), mode="r:") as tar:
        for member in tar:
            _extract_member(tar, member, writer)
    if stream.last_block != END_OF_TAR:
        raise EOFError(say.NO_END_MARK.about({}))


def _extract_member(tar: tarfile.TarFile, member: tarfile.TarInfo, writer: ArchiveWriter) -> None:
    if member.issym() or member.islnk():
        raise writer.unsafe(member.name, say.LINK)
    if member.isdir():
        writer.add_folder(member.name)
    elif member.isreg():
        content = tar.extractfile(member)
        assert content is not None
        writer.add_file(member.name, content)
    else:
        raise writer.unsafe(member.name, say.DEVICE)
    tar.members = []  # type: ignore[attr-defined]  # else it keeps every header in memory
