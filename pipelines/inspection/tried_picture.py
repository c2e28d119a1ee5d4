"""Prediction of a trained model for one image that belongs to no run; imports torch.

The image is processed like any other: Convert checks it, Score reads, transforms and scores it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from modules.artifacts import AnyDirectory, ImageDirectory, TrainedModel
from modules.context import Context
from modules.errors import InvalidDatasetError
from pipelines.inspection.questions import LikelyClass
from pipelines.sentences.recordings import FILE_IS_NO_PICTURE

if TYPE_CHECKING:
    from modules.explain.grad_cam import Explanation


class Tried(NamedTuple):
    """Prediction for one image."""

    classes: list[LikelyClass]
    """The most probable first."""
    accepted: bool
    """False if the model answers "I do not know"."""
    explanation: Explanation
    """The pixels that the most probable class depends on."""


def try_picture(model_folder: Path, picture: Path) -> Tried:
    """Return the classes, and where the model looks for the most probable one.

    Nothing is stored. Raises ``ModuleError`` if the file is not an image or the model is damaged.
    """
    from modules.explain.grad_cam import explain
    from modules.scoring.score_image_model import score_image_model
    from modules.scoring.score_table import ACCEPTED, PROBABILITY_PREFIX

    model = TrainedModel(model_folder)
    with TemporaryDirectory(prefix="designer-try-") as scratch:
        root = Path(scratch)
        dataset = dataset_of(picture, root)
        context = Context(root / "scored", cache_dir=root / "cache")
        [row] = score_image_model(model, dataset, context)[0].rows.to_dict("records")
        probabilities = {name: float(row[f"{PROBABILITY_PREFIX}{name}"]) for name in model.classes}
        likeliest = sorted(probabilities, key=probabilities.__getitem__, reverse=True)
        classes = [LikelyClass(name=name, probability=probabilities[name]) for name in likeliest]
        accepted = bool(row.get(ACCEPTED, True))
        return Tried(classes, accepted, explain(model, dataset, 0, likeliest[0]))


def dataset_of(picture: Path, root: Path) -> ImageDirectory:
    """Return a directory with one image, written below the folder ``root``.

    Raises ``ModuleError`` if the file is not an image.
    """
    from modules.image_directories.convert_to_image_directory import (
        ConvertParameters,
        convert_to_image_directory,
    )

    folder = root / "pictures"
    folder.mkdir()
    shutil.copy(picture, folder / picture.name)
    directory = AnyDirectory.write(Context(root / "given").new_folder(), folder)
    strict = ConvertParameters(on_unreadable_image="fail")
    converted: ImageDirectory
    try:
        converted = convert_to_image_directory(directory, strict, Context(root / "converted"))[0]
    except InvalidDatasetError as error:
        if error.parameter != "on_unreadable_image" or error.statement is None:
            raise
        # The error of Convert names the scratch file, and a parameter that this page does not have.
        why = error.statement.facts["why"]
        raise InvalidDatasetError(FILE_IS_NO_PICTURE, why=why) from error
    return converted
