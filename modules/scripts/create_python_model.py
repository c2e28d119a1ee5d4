"""Module Create Python Model: a user's own network, for Train PyTorch Model."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from modules.artifacts import UntrainedModel
from modules.context import Context
from modules.declare import module
from modules.errors import InvalidModelDirectoryError, ModuleError, NullOrEmptyError
from modules.files.allowed_roots import require_allowed
from modules.forecast import ArtifactForecast, StepForecast
from modules.models.own_network import build_own, check_is_kept, check_scores, own_recipe
from modules.parameters import Code, Group, LocalPath, Parameters, Runs, ShownWhen, Unit
from modules.sentences import own_networks as say
from modules.spec import ParameterFinding, PortDoc
from modules.typed_code import MAX_CODE, syntax_fault

TYPED, FILE = "typed here", "a file"
CHECK = Group("Check")
DEFAULT = '''\
from torch import nn


class Network(nn.Module):
    """Takes images (N, 3, H, W), gives scores (N, num_classes)."""

    def __init__(self, num_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )
        self.head = nn.Linear(64, num_classes)

    def forward(self, images):
        return self.head(self.features(images))
'''


class CreatePythonModelParameters(Parameters):
    source: Literal["typed here", "a file"] = Field(
        "typed here", title="Network from", description="Code typed here, or a Python file."
    )
    code: Annotated[str, Code("python"), ShownWhen("source", (TYPED,))] = Field(
        DEFAULT,
        min_length=1,
        max_length=MAX_CODE,
        title="Python code",
        description="Code of a class that inherits from torch.nn.Module. Its forward accepts "
        "images (N, 3, H, W) and returns one score for each class, (N, K), without softmax.",
    )
    file: Annotated[str | None, LocalPath(), Runs(), ShownWhen("source", (FILE,))] = Field(
        None,
        min_length=1,
        max_length=4096,
        description="A Python file on the server that defines the network. It may import "
        "installed packages, but no files next to it.",
    )
    network: Annotated[str | None, Runs(only_with_others=True)] = Field(
        None,
        min_length=1,
        max_length=80,
        description="Name of the class, or of a function that returns a network. If empty, the "
        "only class is used, or the only one that accepts num_classes.",
    )
    class_count: Annotated[int, CHECK] = Field(
        10,
        ge=2,
        le=100_000,
        title="Number of classes",
        description="Number of classes for checking the network. Train PyTorch Model builds it "
        "again for the classes of its images, if it accepts num_classes.",
    )
    image_width: Annotated[int, Unit("pixels"), CHECK] = Field(
        224, ge=1, le=4096, description="Width of the images for checking the network."
    )
    image_height: Annotated[int, Unit("pixels"), CHECK] = Field(
        224, ge=1, le=4096, description="Height of the images for checking the network."
    )


class CreatePythonModelOutputs(NamedTuple):
    untrained_model: Annotated[
        UntrainedModel, PortDoc("The network with its code, for Train PyTorch Model.")
    ]


def _check(parameters: CreatePythonModelParameters) -> Iterable[ParameterFinding]:
    """Check the text without running it."""
    if parameters.source == FILE:
        if parameters.file is None:
            yield ParameterFinding.of("file", say.FILE_MISSING, severity="error")
        return
    fault = syntax_fault(parameters.code)
    if fault is not None:
        yield ParameterFinding.of("code", fault.sentence, severity="error", **fault.facts)


def _text_of(parameters: CreatePythonModelParameters, context: Context) -> str:
    """Return the code, typed or from the file; raise if the file may not or cannot be read."""
    if parameters.source == TYPED:
        return parameters.code
    if parameters.file is None:
        raise NullOrEmptyError(say.FILE_MISSING, parameter="file")
    path = Path(parameters.file).expanduser().resolve()
    require_allowed(path, context.allowed_roots, name=str(path), parameter="file")
    return _read(path)


def _read(path: Path) -> str:
    if not path.is_file():
        raise InvalidModelDirectoryError(say.NO_FILE, file=path, parameter="file")
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MAX_CODE + 1)
    except (OSError, UnicodeDecodeError) as error:
        said = say.FILE_NO_TEXT.about({"file": path, "error": str(error)[:200]})
        raise InvalidModelDirectoryError(said, parameter="file") from error
    if len(text) > MAX_CODE:
        raise InvalidModelDirectoryError(
            say.FILE_TOO_LARGE, file=path, most=MAX_CODE, parameter="file"
        )
    return text


def _fingerprint(parameters: CreatePythonModelParameters, context: Context) -> str:
    """Return the hash of the file; empty for typed code, which is itself a parameter."""
    if parameters.source == TYPED:
        return ""
    return hashlib.sha256(_text_of(parameters, context).encode()).hexdigest()


def _forecast(
    inputs: Mapping[str, ArtifactForecast],  # noqa: ARG001 - every forecast is given the same three
    parameters: CreatePythonModelParameters,
    context: Context,
) -> StepForecast:
    """Check whether the file can be read; the network is unknown, as its code would have to run."""
    outputs = {"untrained_model": ArtifactForecast()}
    try:
        _text_of(parameters, context)
    except ModuleError as error:
        return StepForecast(outputs, findings=(ParameterFinding.from_error(error, "file"),))
    return StepForecast(outputs)


@module(
    title="Create Python Model",
    category="Python",
    summary="Train a network that you write yourself.",
    icon="brain",
    keywords=("nn.Module", "network", "own", "custom", "architecture", "code", "class", "pytorch"),
    libraries=("torch", "torchvision"),
    check=_check,
    fingerprint=_fingerprint,
    forecast=_forecast,
)
def create_python_model(
    parameters: CreatePythonModelParameters, context: Context
) -> CreatePythonModelOutputs:
    """Use a network that you write in PyTorch; it is trained like any other.

    The network is built and tested here with empty images of the given size: it must return one
    score for each class. It is built a second time: with the same weights it must return the same
    scores; otherwise trained weights could not be loaded again. If `__init__` accepts
    `num_classes`, it receives the number of classes; otherwise the network must be written for the
    classes of the training images. Training starts from random weights. The code is stored with the
    model: Train PyTorch Model, Score Image Model and heat maps run it again, in separate processes
    with the permissions of the designer's user. Exported weights (safetensors) can be used only
    together with the code in the model's `model.json`.
    """
    text = _text_of(parameters, context)
    sha256 = hashlib.sha256(text.encode()).hexdigest() if parameters.source == FILE else ""
    if context.fingerprint not in (None, sha256):
        context.warn(say.FILE_CHANGED)
        context.cut_short = True  # its key is that of the earlier file
    recipe = own_recipe(text, parameters.network)
    model = build_own(recipe, parameters.class_count)
    size = parameters.image_height, parameters.image_width
    check_scores(recipe, model, parameters.class_count, *size)
    check_is_kept(recipe, model, parameters.class_count, *size)
    context.summary(
        say.OWN_NETWORK,
        network=recipe.shown_name,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        classes=parameters.class_count,
        width=parameters.image_width,
        height=parameters.image_height,
    )
    written = UntrainedModel.write(context.new_folder(), recipe.to_json())
    return CreatePythonModelOutputs(written)
