"""Short hashes of the images that a model was trained on, to find copies in other images.

A trained model keeps the hashes next to its weights, so that scoring can report images it has seen.
Models of earlier versions have none.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from modules.artifacts import Artifact, ImageDirectory, ScoredImages, read_json, write_json
from modules.files.whole_files import replacing

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Hashes = npt.NDArray[np.uint64]

FILE = "training_images.npy"
"""File next to a model's weights: the first eight bytes of each image's SHA-256, sorted, unique."""
COPIES_FILE = "training_copies.json"
"""File next to a scored table: the number of copies among its images, and the first names."""
_DIGITS = 16
_NUM_NAMES = 10


def write_training_images(folder: Path, training: ImageDirectory) -> None:
    """Write the hashes of the images to the folder of a model."""
    import numpy as np

    hashes, known = _hashes(training)
    with replacing(folder / FILE) as path, path.open("wb") as file:
        np.save(file, np.unique(hashes[known]), allow_pickle=False)


def copies_in(images: ImageDirectory, training: ImageDirectory) -> list[str]:
    """Return the paths of images that are copies of training images, byte for byte."""
    hashes, known = _hashes(training)
    return _copies(images, hashes[known])


def copies_known_to(model: Artifact, images: ImageDirectory) -> list[str]:
    """Return the same for the training images of a model; none if it keeps no hashes."""
    import numpy as np

    try:
        hashes = np.load(model.path / FILE, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return []
    return _copies(images, hashes) if hashes.dtype == np.uint64 else []


def note_copies(folder: Path, paths: list[str]) -> None:
    """Write the number and the first names of copies next to a scored table."""
    if paths:
        write_json(folder / COPIES_FILE, {"copies": len(paths), "first": paths[:_NUM_NAMES]})


def noted_copies(scored: ScoredImages) -> tuple[int, list[str]]:
    """Return what ``note_copies`` wrote; 0 if there is nothing."""
    try:
        stored: Any = read_json(scored.path / COPIES_FILE)
        return int(stored["copies"]), list(map(str, stored["first"]))
    except (OSError, ValueError, KeyError, TypeError):
        return 0, []


def _copies(images: ImageDirectory, training: Hashes) -> list[str]:
    import numpy as np

    hashes, known = _hashes(images)
    is_copy = known & np.isin(hashes, training)
    return [str(path) for path in images.images["path"][is_copy]]


def _hashes(images: ImageDirectory) -> tuple[Hashes, npt.NDArray[np.bool_]]:
    """Return the first bytes of each image's SHA-256 as a number, and a mask of known ones."""
    import numpy as np

    texts = [text if isinstance(text, str) else "" for text in images.images["sha256"]]
    known = np.array([len(text) >= _DIGITS for text in texts], dtype=bool)
    numbers = [int(text[:_DIGITS], 16) if len(text) >= _DIGITS else 0 for text in texts]
    return np.array(numbers, dtype=np.uint64), known
