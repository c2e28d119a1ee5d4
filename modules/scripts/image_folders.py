"""Images as scripts expect them: a folder of links ``class/file``, or flat where unlabelled."""

from __future__ import annotations

import shutil
from pathlib import Path

from modules.artifacts import ImageDirectory
from modules.files.names import folder_name


def write_image_folder(images: ImageDirectory, folder: Path) -> None:
    """Link every image below ``folder``, by its class; a folder for each class there is.

    An attached transformation is not applied: scripts bring their own. Names that meet get a
    number.
    """
    folder.mkdir(parents=True)
    names = {label: folder_name(label) for label in images.classes}
    for name in names.values() if images.is_labeled else ():
        (folder / name).mkdir(exist_ok=True)
    taken = set[tuple[str, str]]()
    for label, file in zip(images.labels, images.file_paths(), strict=True):
        inside = "" if label is None else names.get(label) or folder_name(label)
        place = folder / inside / _free_name(file, inside, taken)
        place.parent.mkdir(exist_ok=True)
        _link(file, place)


def _free_name(file: Path, inside: str, taken: set[tuple[str, str]]) -> str:
    """The file's name, numbered where another one of that class has it."""
    name, number = file.name, 1
    while (inside, name.casefold()) in taken:
        number += 1
        name = f"{file.stem}~{number}{file.suffix}"
    taken.add((inside, name.casefold()))
    return name


def _link(file: Path, place: Path) -> None:
    try:
        place.symlink_to(file.absolute())
    except OSError:  # Windows lets not everybody make links
        shutil.copyfile(file, place)
