"""Summary of a folder or an archive by its names and tables: images, classes, bytes.

The Data page, the API and forecasts show the same as Convert to Image Directory.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from modules.datasets.version_cache import kept_for_version
from modules.files.archives import archive_paths
from modules.files.names import folders_above
from modules.files.scanning import Tree
from modules.files.shards import dataset_tree
from modules.forecast import ArtifactForecast
from modules.image_loading.largest_images import largest_images
from modules.layouts.parts import PartFolder, parts_of_forecast, told
from modules.layouts.verdict import LayoutVerdict, class_counts, verdict_of, verdict_of_names
from modules.sentences.sentence import Statement

MAX_CLASSES = 200


@dataclass(frozen=True)
class ClassSummary:
    """A class and its number of images."""

    name: str
    images: int


@dataclass(frozen=True)
class FolderSummary:
    """Images and classes, the largest class first and at most ``MAX_CLASSES`` of them."""

    images: int = 0
    """Number of images that will be used: not those next to folders that are classes."""
    num_bytes: int = 0
    classes: tuple[ClassSummary, ...] = ()
    num_classes: int = 0
    not_read: Statement | None = None
    """True if it contains the designer's own workspace, which is not read."""
    labeled: bool | None = None
    """None if it is unknown: a table in an archive may label the images, or a part or a way to
    label must be chosen.
    """
    parts: tuple[PartFolder, ...] = ()
    is_listed: bool = True
    """False for an archive whose names are not available without unpacking it."""
    verdict: LayoutVerdict | None = field(default=None, compare=False)
    """The recognized layout of the dataset; None if it is not listed."""

    def read_as(self, verdict: LayoutVerdict) -> FolderSummary:
        """Return the summary of the same files with the labels of another verdict."""
        return replace(_summary(verdict), num_bytes=self.num_bytes, not_read=self.not_read)

    @property
    def notice(self) -> str | None:
        """Return the notice for users before a run."""
        said = [str(self.not_read)] if self.not_read else []
        if self.verdict is not None and self.verdict.is_worth_reading:
            said += map(str, self.verdict.sentences)
        elif self.parts:
            said.append(str(told(self.parts)))
        return " ".join(said) or None


def folder_summary(location: Path, *, allowed_roots: Collection[Path] | None = ()) -> FolderSummary:
    """Return the contents of a folder or an archive, without reading images.

    Links out of the folder are followed into ``allowed_roots`` (``scanning.scan``). Raises
    ``InvalidDatasetError`` if it cannot be read.
    """
    if location.is_dir():
        return _summary_of_folder(dataset_tree(location, allowed_roots=allowed_roots))
    num_bytes, paths = location.stat().st_size, archive_paths(location)
    if paths is None:
        return FolderSummary(num_bytes=num_bytes, is_listed=False)
    return replace(summary_of_names(paths, folders_above(paths)), num_bytes=num_bytes)


@kept_for_version(maxsize=256)
def summary_of_version(location: Path) -> FolderSummary:
    """Return the summary of a registered version."""
    return folder_summary(location)


def forecast_of(location: Path, *, allowed_roots: Collection[Path] | None = ()) -> ArtifactForecast:
    """Return the summary as a forecast; values that a table of labels may change are unknown."""
    tree = dataset_tree(location, allowed_roots=allowed_roots) if location.is_dir() else None
    summary = folder_summary(location) if tree is None else _summary_of_folder(tree)
    if not summary.is_listed or summary.verdict is None:
        return ArtifactForecast(num_bytes=summary.num_bytes)
    is_asked = tree is not None and summary.verdict.must_ask
    is_open = summary.labeled is None and not summary.parts and not is_asked
    return ArtifactForecast(
        num_images=summary.images,
        num_classes=None if summary.labeled is None else summary.num_classes,
        labeled=summary.labeled,
        parts=parts_of_forecast(summary.parts),
        readings=None if is_open else tuple(part.reading for part in summary.verdict.of_parts),
        num_bytes=summary.num_bytes,
        largest_images=None if tree is None else largest_images(tree),
        notice=summary.not_read,
    )


def summary_of_names(paths: Sequence[str], folders: Collection[str]) -> FolderSummary:
    """Return the summary of relative paths with slashes; images are recognized by extension."""
    verdict, is_open = verdict_of_names(paths, folders)
    summary = _summary(verdict)
    if not is_open:
        return summary
    return replace(summary, images=sum(part.num_found for part in verdict.of_parts), labeled=None)


def summary_of_tree(tree: Tree) -> FolderSummary:
    """Return the summary of scanned files, including their tables of labels."""
    return _summary(verdict_of(tree))


def _summary_of_folder(tree: Tree) -> FolderSummary:
    num_bytes = sum(file.num_bytes for file in tree.files)
    return replace(summary_of_tree(tree), num_bytes=num_bytes, not_read=tree.notice)


def _summary(verdict: LayoutVerdict) -> FolderSummary:
    counts = class_counts(verdict)
    num_images = sum(part.num_images for part in verdict.of_parts)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    classes = tuple(ClassSummary(name, count) for name, count in ordered[:MAX_CLASSES])
    is_open = bool(verdict.parts) or verdict.must_ask
    return FolderSummary(
        num_images,
        classes=classes,
        num_classes=len(counts),
        labeled=None if is_open else bool(counts),
        parts=verdict.parts,
        verdict=verdict,
    )
