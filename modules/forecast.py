"""What can be known of a step before it runs: its outputs, its memory, its work.

A module's ``forecast(inputs, parameters, context)`` takes what is foreseen of each linked input
port (an absent one is missing from the mapping) and gives a ``StepForecast``.
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
    """What is foreseen of one artifact; None where it cannot be known yet."""

    num_images: int | None = None
    num_classes: int | None = None
    image_height: int | None = None
    """Pixels; None also where sizes differ."""
    image_width: int | None = None
    num_bytes: int | None = None
    labeled: bool | None = None
    transformation: tuple[Mapping[str, Any], ...] | None = None
    recipe: Mapping[str, Any] | None = None
    parts: tuple[Mapping[str, Any], ...] | None = None
    """Of a dataset in parts (``modules.layouts.parts``) what each holds; empty where in none."""
    readings: tuple[Mapping[str, Any], ...] | None = None
    """Of a dataset, how the images of each part can be labelled (``modules.layouts.verdict``)."""
    num_parameters: int | None = None
    notice: Statement | str | None = None
    """What the node should say of it, for one: that the workspace in a folder is not read."""


@dataclass(frozen=True)
class StepForecast:
    """What is foreseen of one step."""

    outputs: Mapping[str, ArtifactForecast] = field(default_factory=dict)
    images_processed: int | None = None
    """How many images pass through, epochs and passes counted: the measure of its work."""
    flops_per_image: float | None = None
    """Floating point operations one of them costs, backward pass included."""
    image_size: tuple[int, int] | None = None
    """Height and width of what it works on; None where they are those of its first output."""
    memory_bytes: int | None = None
    """Peak memory of one process."""
    work: str | None = None
    """The name under which the module reports such work (``Context.work``) when it is done."""
    images_opened: int | None = None
    """How many images are read from their files before that work, once each; None: none are."""
    findings: tuple[ParameterFinding, ...] = ()
    choices: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Of parameters that choose from what the data hold (``modules.parameters.FromData``), the
    values that are there, each with what it stands for."""


def __getattr__(name: str) -> Any:
    if name != "Foreseen":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Module files written before 2026-11 import it; to be removed with modules.ports.
    warnings.warn(
        "modules.forecast.Foreseen is called ArtifactForecast now: "
        "from modules import ArtifactForecast.",
        DeprecationWarning,
        stacklevel=2,
    )
    return ArtifactForecast
