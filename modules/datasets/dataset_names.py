"""Names of datasets: letters of any script, digits, dots, dashes and underscores.

A name is a folder of the workspace and occurs in ``dataset:NAME@VERSION`` and in addresses.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from modules.errors import NotInRangeValueError
from modules.files.archive_kinds import archive_stem
from modules.files.names import printable
from modules.operating_system.names import is_usable
from modules.sentences import datasets as say

DOWNLOADS = "torchvision"
"""Folder next to the datasets where downloads are cached; it is not a valid dataset name."""
_FALLBACK = "dataset"
_MAX_CHARACTERS, _MAX_BYTES = 100, 200
_SIGNS = "._-"


def is_name(name: str) -> bool:
    """Return True for a valid dataset name, in its normalised Unicode form (NFC)."""
    return (
        0 < len(name) <= _MAX_CHARACTERS
        and len(name.encode("utf-8", "replace")) <= _MAX_BYTES
        and name == unicodedata.normalize("NFC", name)
        and _is_letter_or_digit(name[0])
        and all(map(_is_allowed, name))
        and name.casefold() != DOWNLOADS
        and is_usable(name)
    )


def check_name(name: str) -> None:
    """Raise ``NotInRangeValueError`` for an invalid dataset name."""
    if not is_name(name):
        raise NotInRangeValueError(
            say.NO_DATASET_NAME, name=printable(name)[:100], taken=DOWNLOADS, parameter="source"
        )


def normal_name(name: str) -> str:
    """Normalise the Unicode form of a name."""
    return unicodedata.normalize("NFC", name.strip())


def name_of_file(file_name: str) -> str:
    """Return the dataset name for a file or folder, without its extension."""
    stem = archive_stem(file_name) or file_name
    plain = unicodedata.normalize("NFC", printable(stem))
    made = re.sub(
        "-+", "-", "".join(character if _is_allowed(character) else "-" for character in plain)
    )
    while made and not _is_letter_or_digit(made[0]):
        made = made[1:]
    made = made[:_MAX_CHARACTERS].encode()[:_MAX_BYTES].decode("utf-8", "ignore").rstrip(_SIGNS)
    return made if is_name(made) else f"{_FALLBACK}-{made}" if made else _FALLBACK


def free_name(name: str, datasets_dir: Path) -> str:
    """Return the name, with a number appended if a dataset has it, ignoring case."""
    there = {path.name for path in datasets_dir.iterdir()} if datasets_dir.is_dir() else set()
    taken, number, free = {existing.casefold() for existing in there}, 1, name
    while free.casefold() in taken:
        number += 1
        ending = f"-{number}"
        short = name[: _MAX_CHARACTERS - len(ending)].encode()[: _MAX_BYTES - len(ending)]
        free = short.decode("utf-8", "ignore") + ending
    return free


def _is_letter_or_digit(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def _is_allowed(character: str) -> bool:
    return character in _SIGNS or unicodedata.category(character)[0] in "LMN"
