"""Kinds of files given as weights, recognized by their first bytes instead of by name."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import IO, NamedTuple

from modules.models.weights_header import MAX_HEADER_BYTES
from modules.sentences import models as say
from modules.sentences.sentence import Sentence

PICKLE_START = b"\x80"
"""First byte of the files of ``torch.save`` from before they were zip archives."""
ZIP_START = b"PK\x03\x04"
_NUM_START_BYTES = 512


class Foreign(NamedTuple):
    """First bytes of files without weights, and the kind of such a file."""

    starts: tuple[bytes, ...]
    sentence: Sentence


FOREIGN = (
    Foreign((b"version https://git-lfs", b"version https://hawser"), say.GIT_LFS_POINTER),
    Foreign((b"<!doctype", b"<html", b"<head", b"<?xml", b"<"), say.WEB_PAGE),
    Foreign((b"\x89hdf",), say.HDF5_FILE),
    Foreign((b"\x93numpy",), say.NUMPY_FILE),
    Foreign((b"gguf",), say.GGUF_FILE),
    Foreign((b"{", b"["), say.JSON_FILE),
    Foreign(
        (b"\x1f\x8b", b"7z\xbc\xaf", b"rar!", b"bzh", b"\xfd7zxz", b"\x28\xb5\x2f\xfd"),
        say.COMPRESSED_FILE,
    ),
)
"""Compared in lower case, without a byte order mark and leading blanks."""


def is_safetensors(path: Path) -> bool:
    """Return True if the file starts like a safetensors file; raises ``OSError`` like open."""
    with path.open("rb") as file:
        return _starts_as_safetensors(file)


def foreign_kind(path: Path) -> Sentence | None:
    """Return the kind of a file without weights; None if it may contain some."""
    with path.open("rb") as file:
        if _starts_as_safetensors(file):
            return None
        file.seek(0)
        start = file.read(_NUM_START_BYTES)
        if not start:
            return say.EMPTY_FILE
        if start.startswith(PICKLE_START):
            return None
        if start.startswith(ZIP_START):
            return _kind_of_archive(file)
    if not start.strip(b"\0"):
        return say.ONLY_ZEROS
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return next((kind.sentence for kind in FOREIGN if text.startswith(kind.starts)), say.NO_WEIGHTS)


def _starts_as_safetensors(file: IO[bytes]) -> bool:
    """Return True for the length of a header in eight bytes, and a brace."""
    start = file.read(9)
    length = int.from_bytes(start[:8], "little")
    return start[8:] == b"{" and 2 <= length <= MAX_HEADER_BYTES


def _kind_of_archive(file: IO[bytes]) -> Sentence | None:
    """Return None for an archive of ``torch.save``: a pickle and no program."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name.rpartition("/")[2] for name in archive.namelist()]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return say.CUT_OFF
    if "constants.pkl" in names:
        return say.TORCHSCRIPT_FILE
    if "data.pkl" in names:
        return None
    if any(name.endswith(".npy") for name in names):
        return say.NUMPY_FILE
    return say.KERAS_FILE if "model.weights.h5" in names else say.PLAIN_ARCHIVE
