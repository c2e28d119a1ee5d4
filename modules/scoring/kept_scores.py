"""Scores of a long scoring in shards: a killed step continues after the last one.

They are in the folder of checkpoints, which the runner keeps until the step has ended, on every
compute target. Shape letters: N images, K classes.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from modules.artifacts import Artifact, ImageDirectory
from modules.compute.distributed import ProcessGroup
from modules.files.whole_files import replacing
from modules.transforms.operations import Operations

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Part = tuple[Floats, Floats]

SAVE_SECONDS = 15.0
"""Time between two shards: shorter scorings write none."""


def scoring_identity(
    model: Artifact, dataset: ImageDirectory, operations: Operations, num_classes: int
) -> str:
    """Return the hash of everything that decides the scores of images."""
    digest = hashlib.sha256()
    facts = [model.reference, num_classes, [dict(operation) for operation in operations]]
    digest.update(json.dumps(facts, sort_keys=True).encode())
    for sha256, label in zip(dataset.images["sha256"], dataset.labels, strict=True):
        digest.update(f"\n{sha256}\0{label}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


class KeptScores:
    """Shards of this process's share of the images, in order."""

    def __init__(self, group: ProcessGroup, identity: str, num_classes: int) -> None:
        self._group = group
        self._folder = group.context.checkpoint_dir
        self._name = f"scores-{identity}-{group.rank}-{group.world_size}"
        self._num_classes = num_classes
        self._kept = 0
        self.num_loaded = 0
        """Number of images of this process that an earlier attempt has scored."""
        self._pending: list[Part] = []
        self._saved = time.monotonic()

    def load(self) -> Part:
        """Return the probabilities (N, K) and losses (N,) of the first images of the share.

        All processes call this, and it is the same number of images for each.
        """
        import numpy as np

        parts = [(np.empty((0, self._num_classes), np.float32), np.empty(0, np.float32))]
        count = 0
        while (part := self._read(count)) is not None:
            parts.append(part)
            count += len(part[0])
        self._kept = self.num_loaded = min(self._group.gather(count))
        probabilities_NK = np.concatenate([part[0] for part in parts])[: self._kept]
        losses_N = np.concatenate([part[1] for part in parts])[: self._kept]
        if self._kept and self._group.is_first:
            print(f"{self._kept * self._group.world_size} images were scored before.", flush=True)
        return probabilities_NK, losses_N

    def add(self, probabilities_NK: Floats, losses_N: Floats) -> None:
        """Add the scores of the next images; they are written from time to time."""
        if self._folder is None:
            return
        self._pending.append((probabilities_NK, losses_N))
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self._write(self._folder)

    def _write(self, folder: Path) -> None:
        import numpy as np

        folder.mkdir(exist_ok=True)
        probabilities_NK = np.concatenate([part[0] for part in self._pending])
        losses_N = np.concatenate([part[1] for part in self._pending])
        with replacing(self._path(folder, self._kept), durably=True) as path, path.open("wb") as f:
            np.savez(f, probabilities=probabilities_NK, losses=losses_N)
        self._kept += len(probabilities_NK)
        self._pending, self._saved = [], time.monotonic()

    def _read(self, start: int) -> Part | None:
        """Return the shard that starts at an image of the share; None if there is no sound one."""
        import numpy as np

        if self._folder is None:
            return None
        try:
            with (
                self._path(self._folder, start).open("rb") as file,
                np.load(file, allow_pickle=False) as stored,
            ):
                part: Any = stored["probabilities"], stored["losses"]
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None
        probabilities, losses = part
        is_sound = (
            len(probabilities) > 0
            and probabilities.shape == (len(losses), self._num_classes)
            and probabilities.dtype == losses.dtype == np.float32
        )
        return (probabilities, losses) if is_sound else None

    def _path(self, folder: Path, start: int) -> Path:
        return folder / f"{self._name}-{start:09d}.npz"


def remaining_batches(
    num_images: int, batch_size: int, done: int, group: ProcessGroup
) -> list[list[int]]:
    """Return the indices of this process's share that follow its first ``done`` images."""
    mine = range(group.rank, num_images, group.world_size)[done:]
    return [list(mine[k : k + batch_size]) for k in range(0, len(mine), batch_size)]
