"""Images kept after a prediction: a growing dataset with a folder for each class."""

from __future__ import annotations

import hashlib
import shutil
import threading
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from modules.datasets.registered import versions_of
from modules.files.names import folder_name
from pipelines.errors import InUseError
from pipelines.registry.datasets import AddedDataset, RegisteredDatasets

KEPT = "kept-pictures"
_ADDING = threading.Lock()
"""Lock: two concurrent additions would each create a version without the other's image."""


def keep_picture(
    datasets: RegisteredDatasets, content: bytes, ending: str, category: str
) -> AddedDataset:
    """Add an image of a class to ``KEPT``: the next version has all earlier ones too.

    The previous version is removed unless a pipeline or run refers to it.
    """
    with _ADDING:
        return _added(datasets, content, ending, category)


def _added(
    datasets: RegisteredDatasets, content: bytes, ending: str, category: str
) -> AddedDataset:
    before = versions_of(datasets.folder, KEPT)
    with TemporaryDirectory(prefix="designer-kept-") as scratch:
        pictures = Path(scratch) / KEPT
        if before:
            shutil.copytree(datasets.location(KEPT, before[-1]), pictures)
        folder = pictures / folder_name(category)
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(content).hexdigest()[:16]
        (folder / f"{name}{ending}").write_bytes(content)
        added = datasets.add(pictures, KEPT)
    if before:
        with suppress(InUseError):
            datasets.delete(KEPT, before[-1])
    return added
