"""Inputs of a script: tables as pandas DataFrames, images and models by their own types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modules.artifacts import (
    ImageDirectory,
    Model,
    ScoredImages,
    Table,
    TrainedModel,
    UntrainedModel,
)
from modules.files.disk import disk_errors
from modules.files.shard_member import StoredFile
from modules.foreign_model import ForeignModel
from modules.image_loading.image_files import ImageFiles

MODEL_TYPES: tuple[type[Model], ...] = (UntrainedModel, TrainedModel, ForeignModel)


class ScriptImages(ImageDirectory):
    """Images whose files a script finds by their paths, including those in tar shards."""

    scratch: Path
    """Folder for files that are written for the script while it runs."""
    _found: list[Path] | None = None

    def file_paths(self) -> list[Path]:
        if self._found is None:
            with disk_errors(self.scratch):
                files = enumerate(ImageFiles(self))
                self._found = [
                    file_for_script(self.scratch / str(row), file) for row, file in files
                ]
        return list(self._found)


def file_for_script(folder: Path, file: StoredFile) -> Path:
    """Return the path of a file for a script; a file in a shard is written to a new folder."""
    if isinstance(file, Path):
        return file
    folder.mkdir(parents=True)
    (folder / file.name).write_bytes(file.read_bytes())
    return folder / file.name


def script_inputs(
    scratch: Path,
    images1: ImageDirectory | None,
    images2: ImageDirectory | None,
    table1: Table | None,
    table2: Table | None,
    model: Model | None,
) -> dict[str, Any]:
    """Return the arguments by name; None if not connected.

    ``scratch`` must exist as long as the script runs.
    """
    return {
        "images1": _at_home(images1, scratch / "images1"),
        "images2": _at_home(images2, scratch / "images2"),
        "table1": _rows(table1),
        "table2": _rows(table2),
        "model": None if model is None else typed(model),
    }


def typed(model: Model) -> Model:
    """Return the model with the type in its description."""
    kinds = {model_type.role: model_type for model_type in MODEL_TYPES}
    return kinds[str(model.description["role"])](model.path)


def _at_home(directory: ImageDirectory | None, scratch: Path) -> ImageDirectory | None:
    """Return the images with the locations of their files in rows, so that rows can be combined."""
    if directory is None:
        return None
    images = ScriptImages(directory.path)
    images.scratch = scratch
    rows = images.images
    source = rows["source"].where(rows["source"] != "", images.reference)
    images.images = rows.assign(source=source)
    return images


def _rows(table: Table | None) -> Any:
    """Return the rows of a table, including scored images, whose port type differs."""
    if table is None:
        return None
    scored = ScoredImages(table.path)
    return (scored if (table.path / scored.file_name).is_file() else table).rows
