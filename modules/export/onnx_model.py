"""Module ONNX Model: use a file that Export Model wrote, to score images."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import OnnxModel, write_json
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidModelDirectoryError, ModuleError, NullOrEmptyError
from modules.export.formats import missing_packages
from modules.export.readme import labels_text
from modules.files.allowed_roots import require_allowed
from modules.files.hashing import hash_file
from modules.forecast import ArtifactForecast, StepForecast
from modules.foreign_model import ForeignModel
from modules.models.registered_model import REFERENCE, link_or_copy, model_gone
from modules.parameters import LocalPath, Parameters, ShownWhen
from modules.sentences import export as say
from modules.sentences import models
from modules.sentences.sentence import Facts
from modules.spec import ParameterFinding, PortDoc

FILE, REGISTERED = "a file", "the registry"
MODEL_FILE = "model.onnx"


class OnnxModelParameters(Parameters):
    source: Literal["a file", "the registry"] = Field(
        "a file", title="Model from", description="A file on the server, or a registered model."
    )
    file: Annotated[str | None, LocalPath(), ShownWhen("source", (FILE,))] = Field(
        None,
        min_length=1,
        max_length=4096,
        description="ONNX file on the server that Export Model or designer models export wrote.",
    )
    model: Annotated[str | None, ShownWhen("source", (REGISTERED,))] = Field(
        None,
        min_length=1,
        max_length=201,
        description="NAME@VERSION, NAME@ALIAS, or NAME for the newest version of a model on the "
        "Models page whose file is such an ONNX file.",
    )


class OnnxModelOutputs(NamedTuple):
    onnx_model: Annotated[
        OnnxModel, PortDoc("The model, for Score Image Model.", "ONNX model", "ONNX model")
    ]


def _check(parameters: OnnxModelParameters) -> Iterable[ParameterFinding]:
    """Check the texts, and report a missing runtime before the run."""
    if parameters.source == FILE:
        if not (parameters.file or "").strip():
            yield ParameterFinding.of("file", say.NO_ONNX_FILE, "error")
    elif not (parameters.model or "").strip():
        yield ParameterFinding.of("model", say.NO_ONNX_REFERENCE, "error")
    elif REFERENCE.fullmatch(str(parameters.model)) is None:
        text = str(parameters.model)[:80]
        yield ParameterFinding.of("model", models.NO_REFERENCE, "error", text=text)
    if missing := missing_packages("onnx"):
        facts: Facts = {"format": "onnx", "packages": missing}
        yield ParameterFinding.of("source", say.PACKAGES_MISSING, "warning", **facts)


def _fingerprint(parameters: OnnxModelParameters, context: Context) -> str:
    """Return the hash of the file, whatever its name."""
    return hash_file(_path(parameters, context))


def _forecast(
    _inputs: Mapping[str, ArtifactForecast], parameters: OnnxModelParameters, context: Context
) -> StepForecast:
    """Report a missing file; its contents are checked by the step, as they can be large."""
    seen = ArtifactForecast(model_format="onnx")
    try:
        _path(parameters, context)
    except ModuleError as error:
        finding = ParameterFinding.from_error(error, "source")
        return StepForecast({"onnx_model": seen}, findings=(finding,))
    return StepForecast({"onnx_model": seen})


@module(
    title="ONNX Model",
    category="Model Scoring & Evaluation",
    summary="Use an exported ONNX file to score images.",
    icon="file-input",
    keywords=("onnx", "exported", "import", "int8", "runtime", "registry"),
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def onnx_model(parameters: OnnxModelParameters, context: Context) -> OnnxModelOutputs:
    """Output a model from an ONNX file, ready to score images.

    The file must come from Export Model or `designer models export --format onnx` or `onnx-int8`:
    such a file contains the preparation of images, the names of the classes and a model card. Its
    labels, inputs, outputs and operators are checked. Other ONNX files, and files whose weights are
    stored elsewhere, are rejected.

    A registered model can be one that a script wrote, if its file is such an ONNX file.
    """
    from modules.export.onnx_classifier import OnnxClassifier

    path = _path(parameters, context)
    folder = context.new_folder()
    if parameters.source == REGISTERED:
        link_or_copy(path, folder / MODEL_FILE)
    else:  # a user's file may change
        shutil.copyfile(path, folder / MODEL_FILE)
    classifier = OnnxClassifier.open(folder / MODEL_FILE)
    write_json(folder / "card.json", dict(classifier.card))
    (folder / "labels.txt").write_text(labels_text(classifier.classes), encoding="utf-8")
    facts = {"file": path.name, "classes": len(classifier.classes)}
    context.summary(say.ONNX_OPENED, architecture=_shown(classifier.card), **facts)
    return OnnxModelOutputs(OnnxModel(folder))


def _shown(card: Mapping[str, Any]) -> str:
    return str(card.get("architecture", ""))[:100]


def _path(parameters: OnnxModelParameters, context: Context) -> Path:
    """Return the file; raise the error for users if it does not exist or is not allowed."""
    if parameters.source == REGISTERED:
        return _registered(parameters.model, context)
    if not (parameters.file or "").strip():
        raise NullOrEmptyError(say.NO_ONNX_FILE, parameter="file")
    text = str(parameters.file)
    try:
        path = Path(text).expanduser().resolve()
        is_file = path.is_file()
    except (OSError, RuntimeError, ValueError):
        raise InvalidModelDirectoryError(
            say.ONNX_FILE_MISSING, file=text[:300].replace("\0", "?"), parameter="file"
        ) from None
    require_allowed(path, context.allowed_roots, name=text[:300], parameter="file")
    if not is_file:
        raise InvalidModelDirectoryError(say.ONNX_FILE_MISSING, file=text[:300], parameter="file")
    return path


def _registered(reference: str | None, context: Context) -> Path:
    if not (reference or "").strip():
        raise NullOrEmptyError(say.NO_ONNX_REFERENCE, parameter="model")
    folder = context.models.get(str(reference))
    if folder is None:
        raise model_gone(str(reference), context.models)
    model = ForeignModel(folder)
    if not (folder / "files").is_dir():
        raise InvalidModelDirectoryError(
            say.REGISTERED_IS_TRAINED, model=reference, parameter="model"
        )
    model.check()
    path = model.main_path
    if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
        raise model_gone(str(reference), context.models)
    return path
