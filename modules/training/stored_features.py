"""Features from the store of a workspace; the missing ones are computed and added.

All processes of a training call the same functions: they may share a folder, or have their own.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from modules.compute.distributed import ProcessGroup
from modules.image_loading.feature_segments import Segment
from modules.image_loading.feature_store import (
    FeatureStore,
    Place,
    StoredFeatures,
    stored_in_order,
)
from modules.image_loading.shared_file import cache_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class FeatureComputation(Protocol):
    """Computation of features by all processes of ``group`` together."""

    @property
    def group(self) -> ProcessGroup: ...
    @property
    def shape(self) -> tuple[int, ...]: ...

    def blocks(self, indices: Sequence[int]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the features of some images in order."""


def open_stored(
    hashes: Sequence[bytes], key: str, source: FeatureComputation, *, is_exact: bool
) -> StoredFeatures | None:
    """Return the features of images; None on every process if one of them has no space for them.

    Args:
        hashes: SHA-256 of each image.
        key: Identifies the network and the preparation of images.
        source: Computes features that are not stored.
        is_exact: Compute all features again if one is missing: in other batches, the others would
            differ in their last bits.
    """
    group = source.group
    with cache_folder(group.context, group) as cache_dir:
        store = FeatureStore(cache_dir, key)
        segments, places = store.find(hashes)
        missing = _missing(hashes, places, group)
        if not missing:
            return stored_in_order(segments, places, hashes)
        _close(segments)
        if is_exact:
            missing = list(range(len(hashes)))
        if not _add(store, [hashes[index] for index in missing], missing, source):
            return None
        segments, places = store.find(hashes)
        # Another process may have removed or damaged files in the meantime.
        if _missing(hashes, places, group):
            _close(segments)
            return None
        return stored_in_order(segments, places, hashes)


def _missing(hashes: Sequence[bytes], places: dict[bytes, Place], group: ProcessGroup) -> list[int]:
    """Return the first index of each image that some process does not have."""
    first_index = {sha256: index for index, sha256 in reversed([*enumerate(hashes)])}
    indices = sorted(first_index.values())
    own = bytes(hashes[index] not in places for index in indices)
    masks = group.gather(own)
    return [index for index, *flags in zip(indices, *masks, strict=True) if any(flags)]


def _add(
    store: FeatureStore, hashes: Sequence[bytes], indices: Sequence[int], source: FeatureComputation
) -> bool:
    """Compute and store features; return False, on every process, if one has no space."""
    group = source.group
    shape = source.shape
    store.folder.mkdir(parents=True, exist_ok=True)
    writes = _is_first_of_folder(store.folder, group)
    has_room = not writes or store.has_room(shape, len(hashes))
    if not all(group.gather(has_room)):
        return False
    blocks = source.blocks(indices)
    if writes:
        store.add(shape, hashes, blocks)
    else:
        for _ in blocks:
            pass
    group.gather("written")
    return True


def _is_first_of_folder(folder: Path, group: ProcessGroup) -> bool:
    """Return True on one of the processes of a machine that share the folder."""
    status = os.stat(folder)
    own = (socket.gethostname(), status.st_dev, status.st_ino)
    return group.gather(own).index(own) == group.rank


def _close(segments: Sequence[Segment]) -> None:
    for segment in segments:
        segment.close()
