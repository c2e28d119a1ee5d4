"""Registered datasets: ``<datasets folder>/<name>/<version>/``, versions counted from 1."""

from __future__ import annotations

import errno
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from modules.errors import InvalidDatasetError, NotInRangeValueError, examples
from modules.files.archives import extract_archive
from modules.files.disk import disk_errors, scratch_folder
from modules.files.scanning import scan

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
DOWNLOADS = "torchvision"
"""The folder beside the datasets where downloads are cached; no dataset may be called so."""


class RegisteredDataset(NamedTuple):
    """A dataset's name and its versions, oldest first."""

    name: str
    versions: tuple[int, ...]


def check_name(name: str) -> None:
    """Raise ``NotInRangeValueError`` for what cannot be a dataset's name."""
    if NAME.fullmatch(name) is None or name.lower() == DOWNLOADS:
        raise NotInRangeValueError(
            f"{name[:100]!r} is no name for a dataset.",
            cure="Use up to 100 letters, digits, dots, dashes and underscores, a letter or digit "
            f"first, and another name than {DOWNLOADS}.",
            parameter="source",
        )


def register_dataset(source: Path, name: str, datasets_dir: Path) -> int:
    """Copy a folder, or unpack an archive, as the next version of a dataset; gives the version.

    Raises ``InvalidDatasetError`` for what cannot be taken whole; nothing is left of it then.
    """
    check_name(name)
    home = datasets_dir / name
    with disk_errors(datasets_dir), scratch_folder(datasets_dir) as scratch:
        content = scratch / "content"
        if source.is_dir():
            _copy_folder(source, content)
        else:
            extract_archive(source, content)
        home.mkdir(exist_ok=True)
        return _put_in_place(content, home)


def list_datasets(datasets_dir: Path) -> list[RegisteredDataset]:
    """All registered datasets by name."""
    if not datasets_dir.is_dir():
        return []
    names = [
        entry.name
        for entry in datasets_dir.iterdir()
        if entry.is_dir() and NAME.fullmatch(entry.name) and entry.name.lower() != DOWNLOADS
    ]
    found = [RegisteredDataset(name, versions_of(datasets_dir, name)) for name in names]
    return sorted(each for each in found if each.versions)


def versions_of(datasets_dir: Path, name: str) -> tuple[int, ...]:
    """The versions there are of a dataset, oldest first."""
    home = datasets_dir / name
    if not home.is_dir():
        return ()
    names = [entry.name for entry in home.iterdir() if entry.is_dir()]
    return tuple(sorted(int(each) for each in names if re.fullmatch(r"[1-9][0-9]{0,8}", each)))


def _copy_folder(source: Path, target: Path) -> None:
    tree = scan(source)
    if tree.passed_over:
        listed = examples(f"{path} is {reason}" for path, reason in tree.passed_over)
        raise InvalidDatasetError(
            f"The folder {source} cannot be copied whole: {listed}.",
            cure="Replace links by the files they lead to.",
            parameter="source",
        )
    if not tree.files:
        raise InvalidDatasetError(
            f"The folder {source} holds no files.",
            cure="Choose one with images in it.",
            parameter="source",
        )
    target.mkdir()
    for folder in tree.folders:
        (target / folder).mkdir()
    for file in tree.files:
        shutil.copyfile(source / file.path, target / file.path)


def _put_in_place(content: Path, home: Path) -> int:
    """Rename to the next free version; another process may take a number at the same time."""
    version = max(versions_of(home.parent, home.name), default=0) + 1
    while True:
        try:
            content.rename(home / str(version))
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            version += 1
        else:
            return version
