"""Images as scripts expect them: a folder of links ``class/file``, or flat where unlabelled."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError
from modules.files.names import folder_name
from modules.files.shard_member import StoredFile
from modules.image_loading.image_files import ImageFiles
from modules.sentences import scripts as say


def classes_in_folder_order(images: ImageDirectory) -> tuple[str, ...]:
    """The classes as a script meets them that sorts the folders' names, as ``ImageFolder`` does."""
    return tuple(sorted(images.classes, key=folder_name))


def write_image_folder(images: ImageDirectory, folder: Path) -> None:
    """Link every image below ``folder``, by its class; a folder for each class there is.

    What lies in shards is written there: scripts read files.

    An attached transformation is not applied: scripts bring their own. Names of files that meet
    get a number. Raises ``InvalidDatasetError`` (0018) for classes that would share a folder.
    """
    folder.mkdir(parents=True)
    names = _folders_of(images)
    for each in classes_in_folder_order(images) if images.is_labeled else ():
        (folder / names[each]).mkdir(exist_ok=True)
    taken = set[tuple[str, str]]()
    for label, file in zip(images.labels, ImageFiles(images), strict=True):
        inside = "" if label is None else names[label]
        place = folder / inside / _free_name(file, inside, taken)
        place.parent.mkdir(exist_ok=True)
        _link(file, place)


def _folders_of(images: ImageDirectory) -> dict[str, str]:
    """A folder for each class; scripts would take two classes in one folder for one."""
    labels = dict.fromkeys([*images.classes, *filter(None, images.labels)])
    names = {label: folder_name(label) for label in labels}
    by_folder: dict[str, list[str]] = {}
    for label, name in names.items():
        by_folder.setdefault(os.path.normcase(name), []).append(label)
    shared = [each for each in by_folder.values() if len(each) > 1]
    if shared:
        facts = {"classes": [repr(each) for each in shared[0]], "folder": names[shared[0][0]]}
        raise InvalidDatasetError(say.CLASSES_SHARE_FOLDER.about(facts), port="images")
    return names


def _free_name(file: StoredFile, inside: str, taken: set[tuple[str, str]]) -> str:
    """The file's name, numbered where another one of that class has it."""
    name, number = file.name, 1
    while (inside, name.casefold()) in taken:
        number += 1
        name = f"{file.stem}~{number}{file.suffix}"
    taken.add((inside, name.casefold()))
    return name


def _link(file: StoredFile, place: Path) -> None:
    if not isinstance(file, Path):
        place.write_bytes(file.read_bytes())
        return
    try:
        place.symlink_to(file.absolute())
    except OSError:  # Windows lets not everybody make links
        shutil.copyfile(file, place)
