"""What a weights file says of the model it is from: how its images were normalised, its classes.

Our own models say it in the header of their safetensors file; those of earlier versions in the
``model.json`` beside it. Other people's files say nothing.
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
"""In the header of the weights file: the document of the pipeline that made it, as JSON."""
MODEL_KEY = "pipeline-designer-model"
"""The same for an ``WeightsOrigin``."""
MODEL_FILES = ("model.safetensors", "model.json")

Channel = Annotated[float, Field(allow_inf_nan=False)]
Deviation = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class ChannelStatistics(BaseModel):
    """Of pixels between 0 and 1."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    mean: tuple[Channel, Channel, Channel]
    std: tuple[Deviation, Deviation, Deviation]


class WeightsOrigin(BaseModel):
    """The model that weights are from; None where the file does not say."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    normalisation: ChannelStatistics | None = None
    classes: tuple[str, ...] | None = None
    """In the order of the head's outputs."""
    transforms_input: bool | None = None
    """Whether GoogLeNet or Inception v3 normalises its input once more, as published ones do."""

    @classmethod
    def of(cls, path: Path) -> WeightsOrigin:
        """What the file says, or the ``model.json`` beside it; 0159 where that is damaged."""
        path = path.expanduser().resolve()
        text = _texts(path).get(MODEL_KEY)
        try:
            if text is not None:
                return cls.model_validate_json(text)
            beside = _description_beside(path)
            return cls.described(beside) if beside else cls()
        except ValidationError as error:
            raise InvalidModelDirectoryError(
                say.DAMAGED_ORIGIN,
                file=path,
                faults=error.error_count(),
                parameter="weights_path",
            ) from None

    @classmethod
    def described(cls, description: Mapping[str, Any]) -> WeightsOrigin:
        """That of a trained model, from its ``model.json``."""
        recipe = Recipe.model_validate(description.get("recipe"))
        return cls.model_validate(
            {
                "normalisation": description.get("normalisation"),
                "classes": description.get("classes"),
                "transforms_input": recipe.transforms_input,
            }
        )

    def followed_by(self, recipe: Recipe) -> Recipe:
        """The recipe of a network that goes on from this one."""
        if recipe.architecture not in TRANSFORMING or self.transforms_input is None:
            return recipe
        arguments = {**recipe.arguments, TRANSFORM_INPUT: self.transforms_input}
        return recipe.model_copy(update={"arguments": arguments})


def header_texts(description: Mapping[str, Any]) -> dict[str, str]:
    """What the header of a model's weights says of it, in ASCII; equal for equal models."""
    return {
        PIPELINE_KEY: json.dumps(description.get("pipeline")),
        MODEL_KEY: json.dumps(WeightsOrigin.described(description).model_dump(mode="json")),
    }


def missing_texts(model: TrainedModel) -> dict[str, str]:
    """What the header of an earlier version's weights lacks; nothing for a damaged model."""
    try:
        if MODEL_KEY in read_texts(model.weights_path):
            return {}
        return {MODEL_KEY: header_texts(model.description)[MODEL_KEY]}
    except ValueError:
        return {}


def contents_of(path: Path) -> str:
    """What a weights file holds, as a hash, and what is said beside it: text for a key."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() + _said_beside(path)


def _said_beside(path: Path) -> str:
    """What only the file beside the weights says of them; empty for nothing."""
    if MODEL_KEY in _texts(path):
        return ""
    described = WeightsOrigin.of(path)
    return "" if described == WeightsOrigin() else described.model_dump_json()


def _texts(path: Path) -> dict[str, str]:
    """The texts in a safetensors file's header; none where it is no such file."""
    try:
        return read_texts(path) if is_safetensors(path) else {}
    except (OSError, ValueError):
        return {}  # what is wrong with it is told where its tensors are read


def _description_beside(path: Path) -> Mapping[str, Any]:
    """The ``model.json`` of a trained model whose weights these are; empty where there is none."""
    if path.name != MODEL_FILES[0]:
        return {}
    try:
        stored = json.loads((path.parent / MODEL_FILES[1]).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    is_ours = isinstance(stored, dict) and stored.get("role") == TrainedModel.role
    return stored if is_ours else {}
