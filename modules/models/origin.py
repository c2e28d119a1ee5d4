"""Metadata of weights files: the normalisation and classes of their model.

Models of the designer store it in the header of their safetensors file; those of earlier versions
in the ``model.json`` next to it. Other files have none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from modules.artifacts import TrainedModel
from modules.errors import InvalidModelDirectoryError
from modules.models.recipe import TRANSFORM_INPUT, TRANSFORMING, Recipe
from modules.models.weights_file import is_safetensors
from modules.models.weights_header import read_texts
from modules.sentences import models as say

PIPELINE_KEY = "pipeline-designer"
"""Key in the header of the weights file: the document of the pipeline that trained it, as JSON."""
MODEL_KEY = "pipeline-designer-model"
"""Key of the ``WeightsOrigin``."""
MODEL_FILES = ("model.safetensors", "model.json")

Channel = Annotated[float, Field(allow_inf_nan=False)]
Deviation = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class ChannelStatistics(BaseModel):
    """Statistics of pixels between 0 and 1."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    mean: tuple[Channel, Channel, Channel]
    std: tuple[Deviation, Deviation, Deviation]


class WeightsOrigin(BaseModel):
    """The model of the weights; None for values that the file does not contain."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    normalisation: ChannelStatistics | None = None
    classes: tuple[str, ...] | None = None
    """Classes in the order of the head's outputs."""
    transforms_input: bool | None = None
    """True if GoogLeNet or Inception v3 normalises its input once more, as published ones do."""

    @classmethod
    def of(cls, path: Path) -> WeightsOrigin:
        """Read the file, or the ``model.json`` next to it; raise 0159 if that is damaged."""
        path = path.expanduser().resolve()
        text = _texts(path).get(MODEL_KEY)
        try:
            if text is not None:
                return cls.model_validate_json(text)
            beside = _description_beside(path)
            return cls.described(beside) if beside else cls()
        except ValidationError as error:
            raise InvalidModelDirectoryError(
                say.DAMAGED_ORIGIN, file=path, faults=error.error_count(), parameter="weights_path"
            ) from None

    @classmethod
    def described(cls, description: Mapping[str, Any]) -> WeightsOrigin:
        """Return the origin of a trained model, from its ``model.json``."""
        recipe = Recipe.model_validate(description.get("recipe"))
        return cls.model_validate(
            {
                "normalisation": description.get("normalisation"),
                "classes": description.get("classes"),
                "transforms_input": recipe.transforms_input,
            }
        )

    def followed_by(self, recipe: Recipe) -> Recipe:
        """Return the recipe of a network that continues from this one."""
        if recipe.architecture not in TRANSFORMING or self.transforms_input is None:
            return recipe
        arguments = {**recipe.arguments, TRANSFORM_INPUT: self.transforms_input}
        return recipe.model_copy(update={"arguments": arguments})


def header_texts(description: Mapping[str, Any]) -> dict[str, str]:
    """Return the header texts of a model's weights, in ASCII; equal for equal models."""
    return {
        PIPELINE_KEY: json.dumps(description.get("pipeline")),
        MODEL_KEY: json.dumps(WeightsOrigin.described(description).model_dump(mode="json")),
    }


def missing_texts(model: TrainedModel) -> dict[str, str]:
    """Return the texts missing in the header of an earlier version; empty for a damaged model."""
    try:
        if MODEL_KEY in read_texts(model.weights_path):
            return {}
        return {MODEL_KEY: header_texts(model.description)[MODEL_KEY]}
    except ValueError:
        return {}


def contents_of(path: Path) -> str:
    """Return the hash of a weights file and of its metadata, as text for a key."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() + _said_beside(path)


def _said_beside(path: Path) -> str:
    """Return metadata that is only in the file next to the weights; empty for none."""
    if MODEL_KEY in _texts(path):
        return ""
    described = WeightsOrigin.of(path)
    return "" if described == WeightsOrigin() else described.model_dump_json()


def _texts(path: Path) -> dict[str, str]:
    """Return the texts in a safetensors file's header; empty for other files."""
    try:
        return read_texts(path) if is_safetensors(path) else {}
    except (OSError, ValueError):
        return {}  # errors are reported when its tensors are read


def _description_beside(path: Path) -> Mapping[str, Any]:
    """Return the ``model.json`` of the trained model with these weights; empty if there is none."""
    if path.name != MODEL_FILES[0]:
        return {}
    try:
        stored = json.loads((path.parent / MODEL_FILES[1]).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    is_ours = isinstance(stored, dict) and stored.get("role") == TrainedModel.role
    return stored if is_ours else {}
