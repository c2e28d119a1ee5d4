"""What a script is given: tables as pandas has them, images and models by their own types."""

from __future__ import annotations

from typing import Any

from modules.artifacts import (
    ImageDirectory,
    Model,
    ScoredImages,
    Table,
    TrainedModel,
    UntrainedModel,
)
from modules.foreign_model import ForeignModel

MODEL_TYPES: tuple[type[Model], ...] = (UntrainedModel, TrainedModel, ForeignModel)


def script_inputs(
    images1: ImageDirectory | None,
    images2: ImageDirectory | None,
    table1: Table | None,
    table2: Table | None,
    model: Model | None,
) -> dict[str, Any]:
    """The arguments by name; None for what is not connected."""
    return {
        "images1": _at_home(images1),
        "images2": _at_home(images2),
        "table1": _rows(table1),
        "table2": _rows(table2),
        "model": None if model is None else typed(model),
    }


def typed(model: Model) -> Model:
    """The model as the type that its description says it is."""
    kinds = {each.role: each for each in MODEL_TYPES}
    return kinds[str(model.description["role"])](model.path)


def _at_home(images: ImageDirectory | None) -> ImageDirectory | None:
    """The images with rows that say where their files are, so that rows can be put together."""
    if images is not None:
        rows = images.images
        source = rows["source"].where(rows["source"] != "", images.reference)
        images.images = rows.assign(source=source)
    return images


def _rows(table: Table | None) -> Any:
    """The rows of a table, scored images too: a port of tables takes those, and names its own."""
    if table is None:
        return None
    scored = ScoredImages(table.path)
    return (scored if (table.path / scored.file_name).is_file() else table).rows
