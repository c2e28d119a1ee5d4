"""The recipe of an image model, as stored in an UntrainedModel and a TrainedModel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from modules.artifacts import RecipeData, TrainedModel, UntrainedModel
from modules.errors import InvalidModelDirectoryError
from modules.models.architectures import IMAGE_MODELS
from modules.models.sample_weights import located
from modules.sentences import artifacts
from modules.sentences import models as say
from modules.sentences.sentence import Statement

TRANSFORMING = ("googlenet", "inception_v3")
"""Networks whose published weights need another normalisation than ImageNet's, which they apply
themselves if this argument of their builders is set.
"""
TRANSFORM_INPUT = "transform_input"
Freeze = Literal["none", "all but the head", "first stages"]
OWN = "own:"
"""Prefix of the name of a network that a user wrote (``modules.models.own_network``)."""


class Recipe(BaseModel):
    """A network, its starting weights, and its frozen part."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", protected_namespaces=())

    family: str
    """Title of its module, for people."""
    architecture: str
    """A name of ``IMAGE_MODELS``; ``own:NAME`` for a user's own network."""
    arguments: Mapping[str, bool] = Field(default_factory=dict)
    """Arguments of its builder besides the number of classes."""
    pretrained: bool = False
    weights_path: str | None = None
    """A local weights file, or ``sample:NAME``; it has precedence over torchvision's."""
    weights_set: str = ""
    """The set of tensors in the file to use; empty: the default one."""
    freeze: Freeze = "none"
    frozen_stages: int = Field(0, ge=0)
    code: str | None = None
    """The Python code that defines a user's own network."""

    @property
    def is_own(self) -> bool:
        """Return True if a user wrote the network: it is built by running ``code``."""
        return self.code is not None

    @property
    def shown_name(self) -> str:
        """Return the name of the architecture for people."""
        return self.architecture.removeprefix(OWN)

    @property
    def weights_file(self) -> Path | None:
        """Return the path of the local weights; raise 0159 for unknown sample weights."""
        return None if self.weights_path is None else located(self.weights_path)

    @property
    def starts_from_weights(self) -> bool:
        """Return True if weights are loaded before the training starts."""
        return self.pretrained or self.weights_path is not None

    @property
    def transforms_input(self) -> bool:
        """Return True if one of ``TRANSFORMING`` normalises its input once more."""
        return self.arguments.get(TRANSFORM_INPUT, self.starts_from_weights)

    def to_json(self) -> RecipeData:
        left_out = set() if self.is_own else {"code"}
        left_out |= set() if self.weights_set else {"weights_set"}  # earlier recipes lack it
        return self.model_dump(mode="json", exclude=left_out)


def recipe_of(model: UntrainedModel | TrainedModel) -> Recipe:
    """Return the validated recipe of a model artifact; raise 0159 if none can be built."""
    model.check()
    try:
        return checked_recipe(model.recipe)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InvalidModelDirectoryError):
            raise
        expected = model.refusal.about({})
        raise InvalidModelDirectoryError(artifacts.NO_RECIPE, input=expected) from None


def checked_recipe(stored: Mapping[str, Any]) -> Recipe:
    """Validate a recipe from JSON; raise 0159 if it is malformed or has an unknown architecture."""
    try:
        recipe = Recipe.model_validate(dict(stored))
    except ValidationError as error:
        places = [".".join(map(str, fault["loc"])) for fault in error.errors()[:10]]
        raise InvalidModelDirectoryError(say.MALFORMED_RECIPE, places=places) from None
    is_named_own = recipe.architecture.startswith(OWN)
    if recipe.is_own != is_named_own or not (is_named_own or recipe.architecture in IMAGE_MODELS):
        raise unknown_architecture(recipe.architecture)
    return recipe


def unknown_architecture(name: str) -> InvalidModelDirectoryError:
    """Return the error for a name that is not a known network."""
    return InvalidModelDirectoryError(
        say.UNKNOWN_ARCHITECTURE, name=name[:80], near=closest(name), parameter="model_name"
    )


def closest(name: str) -> Statement | str:
    """Return `` Did you mean ...?`` if a known name is similar, else nothing."""
    import difflib

    near = difflib.get_close_matches(name[:80].lower(), IMAGE_MODELS, n=1)
    return say.DID_YOU_MEAN.about({"name": near[0]}) if near else ""
