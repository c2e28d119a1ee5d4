"""Zip archives: their entries with decoded names, and checks for unsupported ones."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from modules.files.legacy_names import STANDARD, decoded_names
from modules.files.safe_extraction import ArchiveWriter, refuse
from modules.sentences import files as say

_UTF_8_FLAG, _ENCRYPTED_FLAG = 0x800, 0x1
_UNICODE_PATH = 0x7075
_METHODS = {
    1: "Shrink",
    6: "Implode",
    9: "Deflate64",
    93: "Zstandard",
    95: "XZ",
    96: "JPEG",
    97: "WavPack",
    98: "PPMd",
}
_READ = frozenset((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))


class NamedEntries(NamedTuple):
    """The entries of an archive with their names, and the encoding of these if it was detected."""

    entries: list[tuple[zipfile.ZipInfo, str]]
    detected: str | None
    """None if the archive itself specifies the encoding of its names."""


def named_entries(opened: zipfile.ZipFile) -> NamedEntries:
    """Return all entries with their names.

    Names that are not marked as UTF-8 are in the code page of the computer that created the
    archive, which is detected from all of them together.
    """
    infos = opened.infolist()
    raw = {place: name for place, info in enumerate(infos) if (name := _unmarked(info)) is not None}
    decoded = decoded_names(list(raw.values())) if raw else None
    if decoded is None:
        return NamedEntries([(info, info.filename) for info in infos], None)
    encoding, texts = decoded
    names = dict(zip(raw, texts, strict=True))
    entries = [(info, names.get(place, info.filename)) for place, info in enumerate(infos)]
    return NamedEntries(entries, None if encoding in (STANDARD, "utf-8") else encoding)


def _unmarked(info: zipfile.ZipInfo) -> bytes | None:
    """Return the bytes of a name of unknown encoding; None for ASCII and marked names."""
    if info.flag_bits & _UTF_8_FLAG or info.orig_filename.isascii():
        return None
    try:
        raw = info.orig_filename.encode(STANDARD)
    except UnicodeEncodeError:  # a field of the archive has the name in UTF-8
        return None
    return _unicode_path(info.extra, raw) or raw


def _unicode_path(extra: bytes, raw: bytes) -> bytes | None:
    """Return the name in UTF-8 from the extra field that Info-ZIP and others add."""
    place = 0
    while place + 4 <= len(extra):
        field = int.from_bytes(extra[place : place + 2], "little")
        num_bytes = int.from_bytes(extra[place + 2 : place + 4], "little")
        content = extra[place + 4 : place + 4 + num_bytes]
        if field == _UNICODE_PATH and content[1:5] == zlib.crc32(raw).to_bytes(4, "little"):
            return content[5:]
        place += 4 + num_bytes
    return None


def extract_zip(archive: Path, writer: ArchiveWriter) -> None:
    """Unpack all entries; raise ``InvalidDatasetError`` for unreadable or unsafe ones."""
    with zipfile.ZipFile(archive) as opened:
        named = named_entries(opened)
        _require_readable(archive.name, [info for info, _ in named.entries])
        writer.encoding = named.detected
        for entry, name in named.entries:
            mode = entry.external_attr >> 16
            if stat.S_ISLNK(mode):
                raise writer.unsafe(name, say.LINK)
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise writer.unsafe(name, say.DEVICE)
            if entry.is_dir() or name.endswith("\\"):
                writer.add_folder(name)
            else:
                with opened.open(entry) as content:
                    writer.add_file(name, content)


def _require_readable(archive_name: str, infos: Sequence[zipfile.ZipInfo]) -> None:
    for info in infos:
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise refuse(say.ENCRYPTED_ARCHIVE, archive=archive_name)
        if info.compress_type not in _READ:
            method = _METHODS.get(info.compress_type, str(info.compress_type))
            raise refuse(say.OTHER_COMPRESSION, archive=archive_name, method=method)
