"""Kinds of archives by their first bytes, and kinds of files that are not archives."""

from __future__ import annotations

import tarfile
from pathlib import Path, PurePath

from modules.errors import InvalidDatasetError
from modules.files import database_files
from modules.files.regular_files import read_regular
from modules.files.safe_extraction import refuse
from modules.files.tar_archives import BLOCK_BYTES
from modules.sentences import files as say
from modules.sentences.sentence import Sentence

ACCEPTED = "zip, tar, tar.gz, tar.bz2 or tar.xz"
READ = frozenset(("zip", "tar", "gzip", "bzip2", "xz"))
_EXTENSIONS = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".rar")
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
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
_SPANNED = b"PK\x07\x08"
_END_OF_ZIP, _MAX_END_BYTES, _END_HEADER_BYTES = b"PK\x05\x06", 65557, 22
_LFS = b"version https://git-lfs"
_MARKUP = (b"<!doctype", b"<html", b"<?xml", b"<head")


def require_archive(path: Path) -> str:
    """Return the kind of a supported archive, by its content.

    Raises ``InvalidDatasetError`` for other files, with their kind.
    """
    start = _start(path)
    kind = kind_of(start)
    if _is_split(path, kind, start):
        raise refuse(say.SPLIT_ARCHIVE, archive=path.name)
    if kind is None:
        raise refuse(_sentence_for_other(start), archive=path.name, accepted=ACCEPTED)
    if kind not in READ:
        raise refuse(say.OTHER_ARCHIVE, archive=path.name, kind=kind, accepted=ACCEPTED)
    return kind


def kind_of_file(path: Path) -> str | None:
    """Return the kind of an archive by its first bytes; None if it is unknown."""
    return kind_of(_start(path))


def kind_of(start: bytes) -> str | None:
    """Return the kind of an archive that starts with at least these 512 bytes."""
    for signature, kind in _SIGNATURES.items():
        if start.startswith(signature):
            return kind
    return "tar" if is_tar_header(start[:BLOCK_BYTES]) else None


def archive_stem(name: str) -> str | None:
    """Return the name without the extension of an archive; None if it has none."""
    path = PurePath(name)
    extension = path.suffix.lower()
    inner = PurePath(path.stem)
    if extension in _COMPRESSED and inner.suffix.lower() == ".tar":
        return inner.stem
    if extension in _EXTENSIONS:
        return inner.stem if inner.suffix.lower().startswith(".part") else path.stem
    return path.name.split(".", 1)[0] if _has_name_of_part(path.name) else None


def is_tar_header(block: bytes) -> bool:
    """Return True for the first block of a tar archive."""
    if len(block) == BLOCK_BYTES and not any(block):
        return True  # An empty archive contains only zeros.
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _start(path: Path) -> bytes:
    if database_files.is_held(path):
        raise InvalidDatasetError(
            say.DATABASE_FILE, file=path, accepted=ACCEPTED, parameter="source"
        )
    try:
        return read_regular(path, BLOCK_BYTES)
    except OSError as error:
        raise InvalidDatasetError(
            say.UNREADABLE_FILE, file=path, error=error.strerror, parameter="source"
        ) from error


def _is_split(path: Path, kind: str | None, start: bytes) -> bool:
    """Return True for one part of a split archive."""
    if start.startswith(_SPANNED):
        return True
    if kind in (None, "zip"):
        disk = _disk_of_zip(path)
        if disk is not None:
            return disk > 0
    return _has_name_of_part(path.name)


def _disk_of_zip(path: Path) -> int | None:
    """Return the number of the part that has the end of a zip archive; None if there is no end."""
    with path.open("rb") as file:
        num_bytes = file.seek(0, 2)
        file.seek(max(0, num_bytes - _MAX_END_BYTES))
        tail = file.read(_MAX_END_BYTES)
    place = tail.rfind(_END_OF_ZIP)
    if place < 0 or len(tail) - place < _END_HEADER_BYTES:
        return None
    disk = int.from_bytes(tail[place + 4 : place + 6], "little")
    return 0 if disk == 0xFFFF else disk  # Zip64 stores the number elsewhere.


def _has_name_of_part(name: str) -> bool:
    """Return True for ``a.zip.001``, ``a.z01``, ``a.r00`` and ``a.part1.rar``."""
    inner, last = PurePath(PurePath(name.lower()).stem).suffix, PurePath(name.lower()).suffix
    if last == ".rar":
        return inner.startswith(".part") and inner[5:].isdecimal()
    digits = last[1:] if last[1:].isdecimal() else last[2:]
    if not digits.isdecimal():
        return False
    if len(digits) == len(last) - 1:
        return len(digits) == 3 and inner in (*_EXTENSIONS, *_COMPRESSED)
    return len(digits) == 2 and last[1] in "zr"


def _sentence_for_other(start: bytes) -> Sentence:
    """Return the message for a file that should be an archive but is not."""
    if not start:
        return say.EMPTY_FILE
    if start.startswith(_LFS):
        return say.LFS_POINTER
    if start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_MARKUP):
        return say.WEB_PAGE
    return say.NO_ARCHIVE
