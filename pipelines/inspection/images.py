"""Content of an image directory: counts, sizes, duplicates, and images in groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from modules.artifacts import ImageDirectory
from modules.image_loading.image_files import ImageFiles
from pipelines.errors import UnreadableArtifactError
from pipelines.sentences import places

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd

    Indices = npt.NDArray[np.int64]

ALL = 0
"""Group of all images; group k is class number k - 1, the last one is unlabelled."""
MOST_BINS = 40
WIDE_RANGE = 20
"""Ratio of the largest to the smallest size from which a histogram is logarithmic."""
MAX_LISTED = 500
"""Limit of listed duplicates and skipped files; all of them are counted."""


@dataclass(frozen=True)
class ImageOverview:
    """Counts of an image directory."""

    num_images: int
    num_bytes: int
    classes: tuple[str, ...]
    class_sizes: tuple[int, ...]
    num_unlabeled: int
    num_duplicates: int
    """Images with the same bytes as an earlier one."""
    num_skipped: int
    mode: str | None
    """Mode of the attached transformation: ``For training`` or ``For inference``."""


@lru_cache(maxsize=4)
def opened(folder: Path) -> ImageDirectory:
    """Return the image directory with its tables.

    Raises ``UnreadableArtifactError`` if they are broken.
    """
    directory = ImageDirectory(folder)
    try:
        directory.images, directory.classes, directory.skipped, directory.transformation  # noqa: B018
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableArtifactError(places.TABLES_UNREADABLE, error=str(error)[:200]) from error
    return directory


@lru_cache(maxsize=4)
def files_of(folder: Path) -> ImageFiles:
    """Return the image files in the order of the rows."""
    return ImageFiles(opened(folder))


@lru_cache(maxsize=16)
def overview(folder: Path) -> ImageOverview:
    """Return the counts of the directory in ``folder``."""
    directory = opened(folder)
    rows, attached = directory.images, directory.transformation
    counts = rows["label"].value_counts()
    return ImageOverview(
        num_images=len(rows),
        num_bytes=int(rows["num_bytes"].sum()),
        classes=directory.classes,
        class_sizes=tuple(int(counts.get(class_name, 0)) for class_name in directory.classes),
        num_unlabeled=int(rows["label"].isna().sum()),
        num_duplicates=int(rows["sha256"].duplicated().sum()),
        num_skipped=len(directory.skipped),
        mode=attached.mode if attached else None,
    )


@lru_cache(maxsize=32)
def group(folder: Path, number: int) -> Indices:
    """Return the rows of a group, ordered by class, then path; empty for an invalid number."""
    import numpy as np

    rows, classes = opened(folder).images, opened(folder).classes
    class_indexes = rows["label"].map({name: index for index, name in enumerate(classes)})
    order = np.lexsort(
        (rows["path"].to_numpy(dtype=str), class_indexes.fillna(len(classes)).to_numpy())
    )
    if number == ALL:
        return order.astype(np.int64)
    in_group = class_indexes.fillna(len(classes)).to_numpy()[order] == number - 1
    chosen: Indices = order[in_group].astype(np.int64)
    return chosen


def sizes(folder: Path) -> pd.DataFrame:
    """Return the number of images by size: ``width``, ``height``, ``images``."""
    rows = opened(folder).images
    counted = rows.groupby(["width", "height"]).size().reset_index(name="images")
    return counted.sort_values("images", ascending=False, ignore_index=True)


@dataclass(frozen=True)
class Histogram:
    """Number of images in each interval of widths or heights, both ends included."""

    smallest: tuple[int, ...]
    largest: tuple[int, ...]
    images: tuple[int, ...]
    is_logarithmic: bool
    """True if intervals grow with the size: thumbnails next to photos."""


def histogram(sizes: pd.DataFrame, side: Literal["width", "height"]) -> Histogram:
    """Return the histogram of one side of ``sizes``, with at most ``MOST_BINS`` intervals."""
    import numpy as np

    values, weights = sizes[side].to_numpy(), sizes["images"].to_numpy()
    low, high = int(values.min()), int(values.max())
    is_logarithmic = high > WIDE_RANGE * low
    edges = _growing(low, high) if is_logarithmic else _even(low, high)
    counts, _ = np.histogram(values, bins=edges, weights=weights)
    return Histogram(
        smallest=tuple(edges[:-1]),
        largest=tuple(edge - 1 for edge in edges[1:]),
        images=tuple(int(count) for count in counts),
        is_logarithmic=is_logarithmic,
    )


def _even(low: int, high: int) -> list[int]:
    """Return bounds of equal intervals with a round length: 1, 2, 5, 10, 20 ... pixels."""
    fewest = (high - low + 1) / (MOST_BINS - 1)  # one more, as the first starts below ``low``
    steps = (digit * 10**power for power in range(10) for digit in (1, 2, 5))
    step = next(candidate for candidate in steps if candidate >= fewest)
    begin = low // step * step
    return list(range(begin, high + step + 1, step))


def _growing(low: int, high: int) -> list[int]:
    """Return bounds of intervals that grow by a constant factor."""
    import numpy as np

    return sorted(set(np.geomspace(low, high + 1, MOST_BINS + 1).round().astype(int).tolist()))


def duplicates(folder: Path) -> pd.DataFrame:
    """Return the first images with equal bytes: ``path``, ``class``, ``same as``."""
    rows = opened(folder).images
    first = rows.drop_duplicates("sha256").set_index("sha256")["path"]
    again = rows[rows["sha256"].duplicated()].head(MAX_LISTED)
    listed = again[["path", "label"]].rename(columns={"label": "class"})
    return listed.assign(**{"same as": again["sha256"].map(first)}).reset_index(drop=True)


def skipped(folder: Path) -> pd.DataFrame:
    """Return the first files that Convert skipped: ``path``, ``reason``."""
    return opened(folder).skipped.head(MAX_LISTED)


def label_of(cell: object) -> str | None:
    """Return a label as text; None for a missing one in any notation."""
    import pandas as pd

    return None if pd.isna(cell) else str(cell)  # type: ignore[call-overload]  # a single cell


def index_of(folder: Path, path: str) -> int | None:
    """Return the row of the image at that path; None if the directory has none."""
    return _by_path(folder).get(path)


@lru_cache(maxsize=4)
def _by_path(folder: Path) -> dict[str, int]:
    paths = list(opened(folder).images["path"])
    return {path: index for index, path in reversed(list(enumerate(paths)))}
