"""Photographs that were tried and are kept: a dataset that grows, a folder for each class."""

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
"""Two that add at once would each make a version without the other's picture."""


def keep_picture(
    datasets: RegisteredDatasets, content: bytes, ending: str, category: str
) -> AddedDataset:
    """Add a picture of a class to ``KEPT``: the next version has it and all before it.

    The version before goes, unless a pipeline or a run refers to it.
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
