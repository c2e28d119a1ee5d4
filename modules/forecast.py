"""Forecasts of a step before it runs: its outputs, memory and work.

A module's ``forecast(inputs, parameters, context)`` receives the forecast of each linked input port
(others are missing from the mapping) and returns a ``StepForecast``.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from modules.sentences.sentence import Statement
from modules.spec import ParameterFinding


@dataclass(frozen=True)
class ArtifactForecast:
    """Forecast of one artifact; None for values that are not known yet."""

    num_images: int | None = None
    num_classes: int | None = None
    image_height: int | None = None
    """Pixels; None also if sizes differ."""
    image_width: int | None = None
    num_bytes: int | None = None
    labeled: bool | None = None
    transformation: tuple[Mapping[str, Any], ...] | None = None
    recipe: Mapping[str, Any] | None = None
    parts: tuple[Mapping[str, Any], ...] | None = None
    """Contents of each part of a dataset (``modules.layouts.parts``); empty without parts."""
    readings: tuple[Mapping[str, Any], ...] | None = None
    """Possible ways to label the images of each part (``modules.layouts.verdict``)."""
    largest_images: tuple[Mapping[str, Any], ...] | None = None
    """The largest images of a dataset (``modules.image_loading.largest_images``)."""
    num_parameters: int | None = None
    model_format: str | None = None
    """Format of an exported model, such as ``onnx``."""
    notice: Statement | str | None = None
    """Notice for the node, for example that the workspace in a folder is not read."""


@dataclass(frozen=True)
class StepForecast:
    """Forecast of one step."""

    outputs: Mapping[str, ArtifactForecast] = field(default_factory=dict)
    images_processed: int | None = None
    """Number of images processed, over all epochs and passes: the measure of its work."""
    flops_per_image: float | None = None
    """Floating point operations per image, including the backward pass."""
    activation_bytes_per_image: int | None = None
    """Bytes of activations that training keeps per image: memory limits depthwise networks."""
    image_size: tuple[int, int] | None = None
    """Height and width of the processed images; None if they are those of its first output."""
    memory_bytes: int | None = None
    """Peak memory of one process."""
    work: str | None = None
    """Name under which the module reports this work (``Context.work``) when it is done."""
    images_opened: int | None = None
    """Number of images opened before that work, once each; None: none."""
    findings: tuple[ParameterFinding, ...] = ()
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Available values of parameters that depend on the data or the machine
    (``modules.parameters.FromData``), each with its meaning.
    """
    notes: tuple[Statement, ...] = ()
    """Facts about the step besides its numbers, such as a download."""


def __getattr__(name: str) -> Any:
    if name != "Foreseen":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Module files written before 2026-11 import it; remove it together with modules.ports.
    warnings.warn(
        "modules.forecast.Foreseen was renamed to ArtifactForecast: from modules import "
        "ArtifactForecast.",
        DeprecationWarning,
        stacklevel=2,
    )
    return ArtifactForecast
