"""Features of frozen networks in the cache of a workspace: one row per image, shared by all runs.

Each key, a network with everything that decides its features of an image, has a folder of files,
which are only ever added or removed (``feature_segments``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from modules.files.bounded_files import last_use, make_room, unneeded
from modules.image_loading.cache_limits import GIB
from modules.image_loading.feature_segments import (
    SUFFIX,
    Segment,
    segment_bytes,
    write_segment,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

FOLDER = "features"
"""Folder in the cache of a workspace."""
LIMIT_VARIABLE = "DESIGNER_FEATURES_GIB"
DEFAULT_LIMIT_GIB = 4.0


class Place(NamedTuple):
    """Location of an image's features."""

    segment: int
    row: int


class StoredFeatures:
    """Features of some images, in their order, read from open files."""

    def __init__(self, segments: Sequence[Segment], places: Sequence[Place]) -> None:
        import numpy as np

        self._segments = segments
        self._places_N2 = np.array(places, np.int64).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._places_N2)

    @property
    def num_bytes(self) -> int:
        """Size of all of them in memory."""
        return sum(
            int((self._places_N2[:, 0] == number).sum()) * segment.row_bytes
            for number, segment in enumerate(self._segments)
        )

    def read(self, indices: Sequence[int]) -> Floats:
        """Return a copy of the features of some images, shape (N, ...)."""
        import numpy as np

        numbers_N, rows_N = self._places_N2[np.asarray(indices)].T
        numbers = np.unique(numbers_N)
        if len(numbers) == 1:
            chosen: Floats = self._segments[numbers[0]].read(rows_N)
            return chosen
        features = np.empty((len(rows_N), *self._segments[numbers[0]].shape), np.float32)
        for number in numbers:
            is_there_N = numbers_N == number
            features[is_there_N] = self._segments[number].read(rows_N[is_there_N])
        return features

    def close(self) -> None:
        for segment in self._segments:
            segment.close()


@dataclass(frozen=True)
class FeatureStore:
    """The features of one key below the cache folder ``cache_dir``."""

    cache_dir: Path
    key: str

    @property
    def folder(self) -> Path:
        return self.cache_dir / FOLDER / self.key

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of one image's features; None if none are stored."""
        for path in _segment_paths(self.folder):
            segment = Segment.open(path)
            if segment is not None:
                segment.close()
                return segment.shape
        return None

    def find(self, hashes: Sequence[bytes]) -> tuple[list[Segment], dict[bytes, Place]]:
        """Return open files and the locations of the images that are stored and undamaged.

        Files without any of these images are closed again; those with some count as used now.
        """
        wanted = frozenset(hashes)
        segments: list[Segment] = []
        places: dict[bytes, Place] = {}
        for path in _segment_paths(self.folder):
            segment = Segment.open(path)
            if segment is None:
                continue
            rows = {
                sha256: row
                for row, item in enumerate(segment.hashes)
                if (sha256 := item.tobytes()) in wanted and sha256 not in places
            }
            sound = {sha256: row for sha256, row in rows.items() if segment.is_sound(row)}
            if not sound:
                segment.close()
                continue
            places |= {sha256: Place(len(segments), row) for sha256, row in sound.items()}
            segments.append(segment)
            with suppress(OSError):
                os.utime(path)
        return segments, places

    def has_room(self, shape: Sequence[int], num_rows: int) -> bool:
        """Return True if this many rows may be added; removes the least recently used files."""
        num_bytes = segment_bytes(shape, num_rows)
        self.folder.mkdir(parents=True, exist_ok=True)
        return make_room(self.folder, _all_paths(self.cache_dir), num_bytes, limit_bytes())

    def add(self, shape: Sequence[int], hashes: Sequence[bytes], blocks: Iterable[Floats]) -> None:
        """Store the features of some images, which other processes see only all together."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_segment(self.folder, shape, hashes, blocks)


def limit_bytes() -> int:
    """Return the maximum size of all features of a workspace."""
    try:
        return max(0, int(float(os.environ.get(LIMIT_VARIABLE, "")) * GIB))
    except (ValueError, OverflowError):
        return int(DEFAULT_LIMIT_GIB * GIB)


def unneeded_files(cache_dir: Path) -> list[Path]:
    """Return the files that no process uses: damaged, long unused, and beyond the limit."""
    return unneeded(_all_paths(cache_dir), limit_bytes(), _is_damaged)


def _is_damaged(path: Path) -> bool:
    segment = Segment.open(path)
    if segment is not None:
        segment.close()
    return segment is None


def _segment_paths(folder: Path) -> list[Path]:
    """Return the files of one key, the newest first."""
    return sorted(folder.glob(f"*{SUFFIX}"), key=last_use, reverse=True)


def _all_paths(cache_dir: Path) -> list[Path]:
    return [*(cache_dir / FOLDER).glob(f"*/*{SUFFIX}")]


def stored_in_order(
    segments: Sequence[Segment], places: Mapping[bytes, Place], hashes: Sequence[bytes]
) -> StoredFeatures:
    """Return the features of images, all of which have a location."""
    return StoredFeatures(segments, [places[sha256] for sha256 in hashes])
