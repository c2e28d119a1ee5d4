"""What a folder or an archive holds, told from names alone: images, classes, bytes.

The Data page, the API and forecasts tell the same, and what Convert to Image Directory will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from modules.datasets.version_cache import kept_for_version
from modules.files.archives import list_archive
from modules.files.class_folders import ClassFolders, folders_above
from modules.files.names import class_name, is_junk, parent_of
from modules.files.parts import PartFolder, parts_of, to_json, told
from modules.files.shards import dataset_tree
from modules.forecast import ArtifactForecast
from modules.image_loading.decoding import EXTENSIONS
from modules.sentences.sentence import Statement

MAX_CLASSES = 200
TABLE_EXTENSIONS = (".csv", ".json")


@dataclass(frozen=True)
class ClassCount:
    """A class and how many images it has."""

    name: str
    images: int


@dataclass(frozen=True)
class FolderSummary:
    """Images and classes, the largest class first and at most ``MAX_CLASSES`` of them."""

    images: int = 0
    """Those that will be taken: where folders are classes, the ones beside them are not."""
    num_bytes: int = 0
    classes: tuple[ClassCount, ...] = ()
    num_classes: int = 0
    not_read: Statement | None = None
    """That the designer's own workspace lies in it and is not read."""
    labeled: bool | None = None
    """None where it cannot be known: a table may label the images, a part must be chosen."""
    parts: tuple[PartFolder, ...] = ()
    is_listed: bool = True
    """False for an archive whose names can't be had without unpacking it."""

    @property
    def notice(self) -> str | None:
        """What is to be said of it: what of it is not read, that it is in parts."""
        said = [str(self.not_read)] if self.not_read else []
        if self.parts:
            said.append(f"{told(self.parts)} Choose one in Import Images.")
        return " ".join(said) or None


def folder_summary(location: Path) -> FolderSummary:
    """What lies in a folder or an archive; no image is read.

    Raises ``InvalidDatasetError`` where it cannot be read.
    """
    if location.is_dir():
        tree = dataset_tree(location)
        num_bytes = sum(file.num_bytes for file in tree.files)
        found = summary_of_names([file.path for file in tree.files], tree.folders)
        return replace(found, num_bytes=num_bytes, not_read=tree.notice)
    num_bytes, names = location.stat().st_size, list_archive(location)
    if names is None:
        return FolderSummary(num_bytes=num_bytes, is_listed=False)
    paths = [name.replace("\\", "/").removeprefix("./") for name in names]
    return replace(summary_of_names(paths, folders_above(paths)), num_bytes=num_bytes)


@kept_for_version(maxsize=256)
def summary_of_version(location: Path) -> FolderSummary:
    """The summary of a registered version."""
    return folder_summary(location)


def forecast_of(location: Path) -> ArtifactForecast:
    """The summary as a forecast; what a table of labels may change stays open."""
    found = folder_summary(location)
    if not found.is_listed:
        return ArtifactForecast(num_bytes=found.num_bytes)
    return ArtifactForecast(
        num_images=found.images,
        num_classes=None if found.labeled is None else found.num_classes,
        labeled=found.labeled,
        parts=to_json(found.parts),
        num_bytes=found.num_bytes,
        notice=found.not_read,
    )


def summary_of_names(paths: Sequence[str], folders: Collection[str]) -> FolderSummary:
    """The same of relative paths with slashes; an image is what has an image's extension."""
    names = [path for path in paths if not is_junk(path)]
    images = [path for path in names if PurePosixPath(path).suffix.lower() in EXTENSIONS]
    parts = parts_of(images)
    if parts:
        return _in_parts(parts, images)
    layout = ClassFolders.of(images, folders)
    placed = [layout.label_of(path) for path in images]
    counts = Counter(label for label, _ in placed if label is not None)
    may_have_table = layout.num_filled <= 1 and any(
        PurePosixPath(path).suffix.lower() in TABLE_EXTENSIONS for path in names
    )
    if may_have_table:
        return _counted(len(images), counts, labeled=None)
    return _counted(sum(not left_out for _, left_out in placed), counts, labeled=bool(counts))


def _in_parts(parts: tuple[PartFolder, ...], images: Sequence[str]) -> FolderSummary:
    """The classes of all parts together: which part is meant is yet to be chosen."""
    within = {part.folder for part in parts}
    folders = [parent_of(path) for path in images]
    counts = Counter(
        class_name(folder.rpartition("/")[2]) for folder in folders if parent_of(folder) in within
    )
    found = _counted(sum(part.images for part in parts), counts, labeled=None)
    return replace(found, parts=parts)


def _counted(num_images: int, counts: Counter[str], labeled: bool | None) -> FolderSummary:
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    classes = tuple(ClassCount(name, count) for name, count in ordered[:MAX_CLASSES])
    return FolderSummary(num_images, 0, classes, len(counts), labeled=labeled)
