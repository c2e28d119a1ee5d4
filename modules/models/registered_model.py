"""Module Registered Model: use a model of the workspace's registry in the pipeline."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from modules.artifacts import TrainedModel
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidModelDirectoryError, ModelGoneError, NullOrEmptyError
from modules.files.hashing import hash_file
from modules.forecast import ArtifactForecast, StepForecast
from modules.parameters import Parameters
from modules.sentences import models as say
from modules.spec import ParameterFinding, PortDoc

FILES = ("model.safetensors", "model.json", "history.parquet")
OPTIONAL_FILES = ("training_images.npy",)
"""Files that models of earlier versions lack (``modules.training.training_images``)."""
REFERENCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[A-Za-z0-9][A-Za-z0-9._-]{0,99})?")


class RegisteredModelParameters(Parameters):
    model: str | None = Field(
        None,
        max_length=201,
        description="NAME@VERSION, NAME@ALIAS, or NAME for the newest version of a model on the "
        "Models page.",
    )


class RegisteredModelOutputs(NamedTuple):
    trained_model: Annotated[TrainedModel, PortDoc("The trained model, unchanged.")]


def _check(parameters: RegisteredModelParameters) -> Iterable[ParameterFinding]:
    """Check only the text."""
    text = parameters.model
    if text is None or not text.strip():
        yield ParameterFinding.of("model", say.NO_REGISTERED_MODEL, "error")
    elif REFERENCE.fullmatch(text) is None:
        yield ParameterFinding.of("model", say.NO_REFERENCE, "error", text=text[:80])


def _fingerprint(parameters: RegisteredModelParameters, context: Context) -> str:
    """Return the hash of the model's files, whatever its name."""
    folder = _folder(parameters, context)
    return " ".join(hash_file(folder / name) for name in FILES)


def _forecast(
    _inputs: Mapping[str, ArtifactForecast], parameters: RegisteredModelParameters, context: Context
) -> StepForecast:
    try:
        model = TrainedModel(_folder(parameters, context))
        size = model.description.get("input_size") or {}
        seen = ArtifactForecast(
            recipe=model.recipe,
            num_classes=len(model.classes),
            image_height=size.get("height"),
            image_width=size.get("width"),
        )
    except (ModelGoneError, NullOrEmptyError, InvalidModelDirectoryError) as error:
        finding = ParameterFinding.from_error(error, "model")
        return StepForecast({"trained_model": ArtifactForecast()}, findings=(finding,))
    return StepForecast({"trained_model": seen})


@module(
    title="Registered Model",
    category="Model Training",
    summary="Use a trained model from the registry, by version or alias.",
    icon="package",
    keywords=("registry", "trained", "version", "alias", "load"),
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def registered_model(
    parameters: RegisteredModelParameters, context: Context
) -> RegisteredModelOutputs:
    """Output a registered model, ready to score images.

    NAME@VERSION never changes. NAME@ALIAS and NAME follow the registry: if they refer to another
    model, the output changes and dependent nodes run again.
    """
    source = TrainedModel(_folder(parameters, context))
    source.check()
    folder = context.new_folder()
    for name in (*FILES, *(name for name in OPTIONAL_FILES if (source.path / name).is_file())):
        link_or_copy(source.path / name, folder / name)
    context.summary(say.TAKEN_FROM_REGISTRY, model=parameters.model, classes=len(source.classes))
    return RegisteredModelOutputs(TrainedModel(folder))


def _folder(parameters: RegisteredModelParameters, context: Context) -> Path:
    """Return the folder of the model; raise 0003 for none, 3103 if it no longer exists."""
    if parameters.model is None or not parameters.model.strip():
        raise NullOrEmptyError(say.NO_REGISTERED_MODEL, parameter="model")
    folder = context.models.get(parameters.model)
    if folder is not None and (folder / "files").is_dir():
        raise InvalidModelDirectoryError(
            say.REGISTERED_FILES, model=parameters.model, parameter="model"
        )
    if folder is None or not all((folder / name).is_file() for name in FILES):
        raise model_gone(parameters.model, context.models)
    return folder


def model_gone(text: str, known: Iterable[str]) -> ModelGoneError:
    """Return the error for a model or a version that the registry does not have."""
    names = sorted(
        {reference for reference in known if reference.partition("@")[0] == text.partition("@")[0]}
    )
    names = names or sorted({name for name in known if "@" not in name})
    if not names:
        return ModelGoneError(say.NONE_REGISTERED, model=text[:200], parameter="model")
    return ModelGoneError(say.MODEL_GONE, model=text[:200], known=names, parameter="model")


def link_or_copy(source: Path, target: Path) -> None:
    """Link or copy a file of the artifact store to another place there: they never change."""
    try:
        os.link(source, target)
    except OSError:  # a file system without hard links
        shutil.copyfile(source, target)
