"""Rules that decide which folders of a dataset are classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from modules.files.names import class_name, is_junk, parent_of
from modules.layouts.part_names import is_container_name, part_name

DEEPER = "it is in a subfolder of the class folders"
_IMAGE_FOLDERS = frozenset(("images", "image", "imgs", "img", "jpg", "png", "pictures", "photos"))
SHALLOWER = "it is next to the class folders, not in one"


@dataclass(frozen=True)
class ClassFolders:
    """The class folders of a dataset.

    A chain of single folders without images is skipped; the folders below its end are the classes.
    If all images are in that end folder, it is their one class, unless it is the dataset itself or
    has the name of a part: then they have none.
    """

    base: str
    """End of the chain, which paths of images are relative to: empty, or ending in a slash."""
    folders: tuple[str, ...]
    """Paths of the folders of classes, with or without images."""
    is_one: bool
    """True if the end of the chain itself is the one class."""
    num_filled: int
    """Number of folders below the end of the chain that contain images."""
    containers: Mapping[str, str] = field(default_factory=dict)
    """Folder of a class -> the folder in it that has all its images: ``cat/images``."""

    @classmethod
    def of(cls, images: Collection[str], folders: Iterable[str], part_folder: str = "") -> Self:
        """Determine the rule from the paths of all images and folders below the root.

        The name of ``part_folder``, the folder of a selected part, is not a class, nor is its only
        subfolder if the name is generic (``images``).
        """
        filled = {parent_of(path) for path in images}
        subfolders: dict[str, list[str]] = {}
        for folder in folders:
            if not is_junk(folder):
                subfolders.setdefault(parent_of(folder), []).append(folder)
        holding = {above for folder in filled for above in _upwards(folder)}
        end = ""
        while end not in filled and (inner := _only_way_down(subfolders.get(end, ()), holding)):
            if inner in filled and len(subfolders[end]) > 1:
                break  # one class has images, the others have none
            end = inner
        inner = _only_container(subfolders.get(end, ()), filled, part_folder)
        end = end if inner is None else inner
        base = f"{end}/" if end else ""
        # Images next to folders: the folders are classes only if they contain images.
        is_leaf = end in filled and not any(
            folder.startswith(base) and folder != end for folder in filled
        )
        below = () if is_leaf else tuple(subfolders.get(end, ()))
        if is_leaf and not _is_unnamed(end, part_folder, has_siblings=inner is not None):
            return cls(base, (end,), True, 0)
        containers = {} if filled.intersection(below) else _containers(below, subfolders, filled)
        return cls(base, below, False, sum(folder in filled for folder in below), containers)

    @property
    def labels_base(self) -> str:
        """Return the parent of the class folders: empty, or ending in a slash."""
        if not self.is_one:
            return self.base
        above = parent_of(self.folders[0])
        return f"{above}/" if above else ""

    @property
    def names(self) -> list[str]:
        """Return the folders' names, unchanged."""
        return [folder.removeprefix(self.labels_base) for folder in self.folders]

    def label_of(self, path: str) -> tuple[str | None, str | None]:
        """Return the class of a file, and the reason if its image is excluded."""
        base = self.labels_base
        parts = path.removeprefix(base).split("/")
        if not self.folders:
            return None, DEEPER if len(parts) > 1 else None
        if len(parts) == 2 and path.startswith(base):
            return class_name(parts[0]), None
        if len(parts) > 2 and self.containers.get(base + parts[0]) == parent_of(path):
            return class_name(parts[0]), None
        return None, SHALLOWER if len(parts) < 2 else DEEPER


def _only_container(
    folders: Collection[str], filled: Collection[str], part_folder: str
) -> str | None:
    """Return the folder of all images that is not a class: ``images`` next to ``labels``."""
    holding = [folder for folder in folders if any(_is_within(path, folder) for path in filled)]
    names = {folder.rpartition("/")[2].casefold() for folder in folders}
    if len(holding) != 1 or holding[0] not in filled or len(folders) < 2:
        return None
    is_annotated = bool(names & {"labels", "annotations", "masks"})
    is_container = is_container_name(holding[0].rpartition("/")[2])
    return holding[0] if is_container and (part_folder or is_annotated) else None


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = parent_of(folder)


def _only_way_down(folders: Collection[str], holding: Collection[str]) -> str | None:
    """Return the only folder, or the only one with images at any depth."""
    inside = folders if len(folders) == 1 else [folder for folder in folders if folder in holding]
    return next(iter(inside)) if len(inside) == 1 else None


def _containers(
    classes: Collection[str], subfolders: Mapping[str, Collection[str]], filled: Collection[str]
) -> dict[str, str]:
    """Return the folder of images in each class, if all classes have one of the same name.

    ``n01/images``; of ``images`` next to ``masks`` the generic one.
    """
    names: dict[str, set[str]] = {}
    for folder in classes:
        inside = [subfolder for subfolder in subfolders.get(folder, ()) if subfolder in filled]
        if inside:
            names[folder] = {subfolder.rpartition("/")[2] for subfolder in inside}
    shared = set.intersection(*names.values()) if names else set()
    candidates = [name for name in shared if name.casefold() in _IMAGE_FOLDERS]
    if len(candidates) != 1 or any(part_name(name) for name in shared):
        return {}
    return {folder: f"{folder}/{candidates[0]}" for folder in names}


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _is_unnamed(folder: str, part_folder: str, *, has_siblings: bool) -> bool:
    """Return True for a folder whose name is not that of a class."""
    name = folder.rpartition("/")[2]
    if folder == part_folder:
        return True
    if part_folder or has_siblings:
        return is_container_name(name)
    named = part_name(name)
    return named is not None and not named.other_words
