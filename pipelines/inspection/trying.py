"""Images of users that a model is tried on: their files, and what the evaluation says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from modules.files.disk import scratch_folder
from modules.files.workspace_folder import TRIED
from pipelines.errors import UnreadableArtifactError
from pipelines.inspection.confusions import confusions_of
from pipelines.inspection.run_outputs import RunOutputs
from pipelines.registry.datasets import AddedDataset, RegisteredDatasets
from pipelines.registry.kept_pictures import keep_picture

ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".gif", ".webp", ".tif", ".tiff"})


@contextmanager
def picture_file(cache_dir: Path, name: str, content: bytes) -> Iterator[Path]:
    """Write an image to a file that exists as long as the block runs."""
    with scratch_folder(cache_dir, TRIED) as folder:
        picture = folder / f"picture{ending_of(name)}"
        picture.write_bytes(content)
        yield picture


def ending_of(name: str) -> str:
    """Return the extension of an image's file; its content is only known after reading."""
    ending = Path(name).suffix.lower()
    return ending if ending in ENDINGS else ".png"


def kept_picture_file(
    datasets: RegisteredDatasets, content: bytes, name: str, category: str
) -> AddedDataset:
    """Add an image to the dataset of kept ones. Raises ``ModuleError``, ``DesignerError``."""
    return keep_picture(datasets, content, ending_of(name), category)


def confusions_text(outputs: RunOutputs, model: Path, category: str) -> str:
    """Return the confusions of a predicted class in the model's run; empty if not evaluated."""
    try:
        confusions = confusions_of(outputs, model, category)
    except UnreadableArtifactError:
        return ""
    return confusions.text if confusions else ""
