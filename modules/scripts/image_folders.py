"""Images as scripts expect them: a folder of links ``class/file``, or flat where unlabelled."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from pathlib import Path

from modules.artifacts import ImageDirectory
from modules.errors import InvalidDatasetError
from modules.files.names import folder_name
from modules.files.shard_member import StoredFile
from modules.image_loading.image_files import ImageFiles
from modules.sentences import scripts as say

USUAL_EXTENSIONS = frozenset(
    (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
)
"""Those that torchvision's ``ImageFolder`` reads."""
OTHER_EXTENSIONS = frozenset((".jfif", ".jpe", ".pbm", ".pnm", ".dib", ".gif", ".mpo"))
"""Further ones of images: they are replaced, where other endings are part of a name."""
_STARTS = (
    (b"\xff\xd8\xff", ".jpg"),
    (b"\x89PNG", ".png"),
    (b"RIFF", ".webp"),
    (b"BM", ".bmp"),
    (b"II", ".tif"),
    (b"MM", ".tif"),
    (b"GIF8", ".png"),
    (b"P", ".ppm"),
)
"""First bytes of a file that was decoded before, and the extension by which readers take it."""
_START_BYTES = 8


def classes_in_folder_order(images: ImageDirectory) -> tuple[str, ...]:
    """The classes as a script meets them that sorts the folders' names, as ``ImageFolder`` does."""
    return tuple(sorted(images.classes, key=folder_name))


def classes_with_images(images: ImageDirectory) -> set[str]:
    """Return the classes that scripts find images of."""
    return {label for label in images.labels if label is not None}


def write_image_folder(
    images: ImageDirectory, folder: Path, empty_classes: Collection[str] = ()
) -> None:
    """Link every image below ``folder``, by its class; a folder for each class that has images.

    Classes among ``empty_classes`` have a folder without images, too: the numbers of a script's
    classes follow from the folders there are.

    What lies in shards is written there: scripts read files. A link has the extension of its
    file's content: readers such as torchvision's ``ImageFolder`` pass over unknown ones, and end
    at a class folder without images.

    An attached transformation is not applied: scripts bring their own. Names of files that meet
    get a number. Raises ``InvalidDatasetError`` (0018) for classes that would share a folder.
    """
    folder.mkdir(parents=True)
    names = _folders_of(images)
    for each in classes_in_folder_order(images) if images.is_labeled else ():
        if each in empty_classes:
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
    """The file's name as its content has it, numbered where another one of that class has it."""
    stem, suffix = _stem_and_suffix(file)
    name, number = f"{stem}{suffix}", 1
    while (inside, name.casefold()) in taken:
        number += 1
        name = f"{stem}~{number}{suffix}"
    taken.add((inside, name.casefold()))
    return name


def _stem_and_suffix(file: StoredFile) -> tuple[str, str]:
    """A name in two parts, with the extension of the content unless it has a usual one."""
    stem, suffix = os.path.splitext(file.name)
    if suffix.lower() in USUAL_EXTENSIONS:
        return stem, suffix
    found = next((name for start, name in _STARTS if _start_of(file).startswith(start)), None)
    if found is None:
        return stem, suffix
    return (stem, found) if suffix.lower() in OTHER_EXTENSIONS else (file.name, found)


def _start_of(file: StoredFile) -> bytes:
    try:
        if not isinstance(file, Path):
            return file.read_bytes()[:_START_BYTES]
        with file.open("rb") as opened:
            return opened.read(_START_BYTES)
    except OSError:
        return b""  # the script meets the same error


def _link(file: StoredFile, place: Path) -> None:
    if not isinstance(file, Path):
        place.write_bytes(file.read_bytes())
        return
    try:
        place.symlink_to(file.absolute())
    except OSError:  # Windows lets not everybody make links
        shutil.copyfile(file, place)
