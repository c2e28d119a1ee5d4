"""Images in the form that scripts expect: links ``class/file``, or flat if unlabelled."""

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
"""Extensions that torchvision's ``ImageFolder`` reads."""
OTHER_EXTENSIONS = frozenset((".jfif", ".jpe", ".pbm", ".pnm", ".dib", ".gif", ".mpo"))
"""Further extensions of images, which are replaced; other suffixes are part of a name."""
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
"""First bytes of a decoded file, and the extension that readers expect."""
_START_BYTES = 8


def classes_in_folder_order(images: ImageDirectory) -> tuple[str, ...]:
    """Return the classes in the order of sorted folder names, as ``ImageFolder`` reads them."""
    return tuple(sorted(images.classes, key=folder_name))


def classes_with_images(images: ImageDirectory) -> set[str]:
    """Return the classes that have images in the folders of scripts."""
    return {label for label in images.labels if label is not None}


def write_image_folder(
    images: ImageDirectory, folder: Path, empty_classes: Collection[str] = ()
) -> None:
    """Link every image below ``folder``, by its class; a folder for each class that has images.

    Classes among ``empty_classes`` get a folder without images, too, as the numbers of a script's
    classes follow from the existing folders.

    Files in shards are written there, as scripts read files. A link has the extension of its file's
    content: readers such as torchvision's ``ImageFolder`` ignore unknown ones, and fail on a class
    folder without images.

    An attached transformation is not applied, as scripts have their own. Conflicting file names are
    numbered. Raises ``InvalidDatasetError`` (0018) for classes that would share a folder.
    """
    folder.mkdir(parents=True)
    names = _folders_of(images)
    for name in classes_in_folder_order(images) if images.is_labeled else ():
        if name in empty_classes:
            (folder / names[name]).mkdir(exist_ok=True)
    taken = set[tuple[str, str]]()
    for label, file in zip(images.labels, ImageFiles(images), strict=True):
        inside = "" if label is None else names[label]
        place = folder / inside / _free_name(file, inside, taken)
        place.parent.mkdir(exist_ok=True)
        _link(file, place)


def _folders_of(images: ImageDirectory) -> dict[str, str]:
    """Return a folder for each class; raise if two classes would share one."""
    labels = dict.fromkeys([*images.classes, *filter(None, images.labels)])
    names = {label: folder_name(label) for label in labels}
    by_folder: dict[str, list[str]] = {}
    for label, name in names.items():
        by_folder.setdefault(os.path.normcase(name), []).append(label)
    shared = [classes for classes in by_folder.values() if len(classes) > 1]
    if shared:
        facts = {"classes": [repr(name) for name in shared[0]], "folder": names[shared[0][0]]}
        raise InvalidDatasetError(say.CLASSES_SHARE_FOLDER.about(facts), port="images")
    return names


def _free_name(file: StoredFile, inside: str, taken: set[tuple[str, str]]) -> str:
    """Return the file's name with the extension of its content, numbered if it is taken."""
    stem, suffix = _stem_and_suffix(file)
    name, number = f"{stem}{suffix}", 1
    while (inside, name.casefold()) in taken:
        number += 1
        name = f"{stem}~{number}{suffix}"
    taken.add((inside, name.casefold()))
    return name


def _stem_and_suffix(file: StoredFile) -> tuple[str, str]:
    """Split a name, with the extension of the content unless it has a common one."""
    stem, suffix = os.path.splitext(file.name)
    if suffix.lower() in USUAL_EXTENSIONS:
        return stem, suffix
    extension = next((name for start, name in _STARTS if _start_of(file).startswith(start)), None)
    if extension is None:
        return stem, suffix
    return (stem, extension) if suffix.lower() in OTHER_EXTENSIONS else (file.name, extension)


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
    except OSError:  # on Windows, some users may not create links
        shutil.copyfile(file, place)
